// The corpus generator's own random numbers: the same seed gives the same pair on every machine and compiler,
// which std distributions do not promise. Must not know tasks or tensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dice::corpus {

// SplitMix64 (Steele, Lea, Flood 2014).
class Rng
{
public:
    explicit Rng(uint64_t seed)
        : m_state(seed)
    {
    }

    uint64_t next()
    {
        uint64_t z = (m_state += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    // Uniform in [0, bound); bound is at least 1.
    int below(int bound) { return int((next() >> 33) % uint64_t(bound)); }
    // Uniform in [low, high].
    int between(int low, int high) { return low + below(high - low + 1); }
    bool chance(int percent) { return below(100) < percent; }

    // One of the words of "a|b|c".
    std::string pick(std::string_view words, char separator = '|');

    // A decimal number near `base` as Python prints it, such as "0.37".
    std::string decimalNear(double base);

private:
    uint64_t m_state;
};

} // namespace dice::corpus
