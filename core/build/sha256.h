// SHA-256 (FIPS 180-4), for names of artefacts. Not for secrets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dice::build {

class Sha256
{
public:
    void add(std::string_view bytes);
    std::string hex(); // ends the digest

private:
    void addBlock(const unsigned char *block);

    std::array<std::uint32_t, 8> m_state
        = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> m_buffer{};
    std::size_t m_buffered = 0;
    std::uint64_t m_bytes = 0;
};

} // namespace dice::build
