// Seeds that no candidate can know: from the kernel's entropy.
#pragma once

#include <sys/random.h>

#include <cstdint>

namespace dice::evaluate {

// Below 2^31, so that every library takes it.
inline std::uint64_t secretSeed()
{
    std::uint32_t bits = 0;
    while (::getrandom(&bits, sizeof bits, 0) != sizeof bits) { }
    return bits & 0x7fffffffu;
}

} // namespace dice::evaluate
