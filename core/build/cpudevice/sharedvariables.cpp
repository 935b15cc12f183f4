#include "sharedvariables.h"

#include "blockrunner.h"

#include <algorithm>

namespace dice::cpudevice {

namespace {

constexpr std::uint64_t gapBytes = 64; // between variables, so that one step too far is nobody's memory

} // namespace

std::optional<std::uint64_t> SharedVariables::reserve(std::uint64_t size, std::uint64_t alignment, const char *name)
{
    const std::lock_guard lock(m_mutex);
    const std::uint64_t step = std::max<std::uint64_t>(alignment, 16);
    const std::uint64_t offset = (m_end + step - 1) / step * step;
    if (size > BlockRunner::staticArenaBytes || offset + size + gapBytes > BlockRunner::staticArenaBytes)
        return std::nullopt;
    m_variables.push_back({offset, size, name});
    m_end = offset + size + gapBytes;
    return offset;
}

std::uint64_t SharedVariables::totalBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_end;
}

std::optional<SharedVariable> SharedVariables::find(std::uint64_t offset) const
{
    const std::lock_guard lock(m_mutex);
    const auto after = std::upper_bound(m_variables.begin(), m_variables.end(), offset,
                                        [](std::uint64_t at, const SharedVariable &v) { return at < v.offset; });
    if (after == m_variables.begin())
        return std::nullopt;
    return *std::prev(after);
}

} // namespace dice::cpudevice
