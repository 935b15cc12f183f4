// Random numbers that are the same on every machine and compiler: xoshiro256** (Blackman and Vigna), seeded by
// splitmix64. The standard library's distributions are not portable, so none is used.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace dice::engine {

class RandomGenerator
{
public:
    explicit RandomGenerator(std::uint64_t seed)
    {
        for (std::uint64_t &word : m_state) {
            seed += 0x9e3779b97f4a7c15ULL;
            std::uint64_t mixed = seed;
            mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
            mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
            word = mixed ^ (mixed >> 31);
        }
    }

    std::uint64_t next()
    {
        const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
        const std::uint64_t shifted = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= shifted;
        m_state[3] = std::rotl(m_state[3], 45);
        return result;
    }

    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; } // in [0, 1)

private:
    std::array<std::uint64_t, 4> m_state{};
};

} // namespace dice::engine
