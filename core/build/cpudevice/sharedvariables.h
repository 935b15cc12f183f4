// Where each __shared__ variable lies in the arena of a block: given out once for each variable and kept.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace dice::cpudevice {

struct SharedVariable
{
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::string name;
};

class SharedVariables
{
public:
    // The offset; nothing when the arena is full.
    std::optional<std::uint64_t> reserve(std::uint64_t size, std::uint64_t alignment, const char *name);
    std::uint64_t totalBytes() const;
    // The variable that holds the byte, or that ends last before it.
    std::optional<SharedVariable> find(std::uint64_t offset) const;

private:
    mutable std::mutex m_mutex;
    std::vector<SharedVariable> m_variables; // by offset
    std::uint64_t m_end = 0;
};

} // namespace dice::cpudevice
