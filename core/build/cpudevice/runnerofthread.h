// The runner that each processor thread owns, and a launch's blocks spread over such threads.
#pragma once

#include "core/build/cpudevice/accesschecker.h"
#include "core/build/cpudevice/blockrunner.h"
#include "core/build/cpudevice/processorpool.h"

#include <cstdint>

namespace dice::cpudevice {

struct LaunchJob
{
    const DiceLaunch &launch;
    AccessChecker *checker = nullptr; // not null: one processor thread only
    std::size_t staticBytes = 0;
    bool isPoisoned = false;
};

// Runs all blocks; a fault ends the launch and is returned. Helpers are woken when the work takes longer than
// helpAfterNs.
BlockFault runBlocks(const LaunchJob &job, ProcessorPool &pool, std::int64_t helpAfterNs);

// Null unless the calling code is a kernel.
BlockRunner *runnerOfThread();

// Ends the launch from within a kernel; throws std::runtime_error when called by host code.
[[noreturn]] void endThread(BlockFault fault);

} // namespace dice::cpudevice
