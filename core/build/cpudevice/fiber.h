// One stack that runs threads of a block until one of them waits. Thin over Boost.Context's assembly.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include "core/build/include/dice/hostapi.h"

#include <cstddef>
#include <cstdint>

namespace dice::cpudevice {

struct Fiber
{
    boost::context::detail::fcontext_t context = nullptr;
    char *stack = nullptr; // lowest address, above a guard page
    std::size_t stackBytes = 0;
    // Who it was when it went to wait.
    std::uint32_t thread = 0;
    DiceIndex threadIdx = {0, 0, 0};
    const void *caller = nullptr; // return address of the operation it waits in
    bool isAtBarrier = false;
};

// False when the system gives no memory.
bool allocateStack(Fiber &fiber, std::size_t bytes);
void releaseStack(Fiber &fiber);

} // namespace dice::cpudevice
