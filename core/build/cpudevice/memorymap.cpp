#include "memorymap.h"

#include <cstdlib>
#include <cstring>

namespace dice::cpudevice {

namespace {

constexpr unsigned char guardByte = 0xDB;

unsigned char *bytesAt(std::uintptr_t address)
{
    return reinterpret_cast<unsigned char *>(address);
}

} // namespace

void *MemoryMap::allocate(std::size_t bytes, MemoryKind kind)
{
    void *block = nullptr;
    if (bytes > SIZE_MAX / 2 || posix_memalign(&block, 64, bytes + 2 * guardBytes) != 0)
        return nullptr;
    unsigned char *memory = static_cast<unsigned char *>(block);
    std::memset(memory, guardByte, guardBytes);
    std::memset(memory + guardBytes + bytes, guardByte, guardBytes);
    if (m_isPoisoned)
        std::memset(memory + guardBytes, 0xFF, bytes);
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(memory + guardBytes);
    const std::lock_guard lock(m_mutex);
    m_entries[begin] = {{begin, begin + bytes, kind}, false};
    return memory + guardBytes;
}

bool MemoryMap::release(void *address)
{
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(address);
    {
        const std::lock_guard lock(m_mutex);
        const auto entry = m_entries.find(begin);
        if (entry == m_entries.end() || entry->second.region.kind == MemoryKind::Borrowed)
            return false;
        if (const auto damage = damageOf(entry->second.region); damage && !entry->second.isReported)
            m_damage.push_back(*damage);
        m_entries.erase(entry);
    }
    std::free(bytesAt(begin) - guardBytes);
    return true;
}

void MemoryMap::borrow(const void *address, std::size_t bytes)
{
    if (bytes == 0)
        return;
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(address);
    if (const auto known = find(begin); known && known->end >= begin + bytes)
        return;
    const std::lock_guard lock(m_mutex);
    m_entries[begin] = {{begin, begin + bytes, MemoryKind::Borrowed}, false};
}

void MemoryMap::forgetBorrowed()
{
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_entries, [](const auto &item) { return item.second.region.kind == MemoryKind::Borrowed; });
}

std::optional<MemoryRegion> MemoryMap::find(std::uintptr_t address) const
{
    const std::lock_guard lock(m_mutex);
    auto after = m_entries.upper_bound(address);
    if (after == m_entries.begin())
        return std::nullopt;
    const MemoryRegion &region = std::prev(after)->second.region;
    return address < region.end ? std::optional(region) : std::nullopt;
}

std::optional<MemoryRegion> MemoryMap::nearest(std::uintptr_t address) const
{
    const std::lock_guard lock(m_mutex);
    const auto after = m_entries.upper_bound(address);
    std::optional<MemoryRegion> result;
    if (after != m_entries.begin())
        result = std::prev(after)->second.region;
    if (after != m_entries.end()) {
        const MemoryRegion &next = after->second.region;
        if (!result || next.begin - address < address - result->end)
            result = next;
    }
    return result;
}

std::vector<GuardDamage> MemoryMap::takeDamage()
{
    const std::lock_guard lock(m_mutex);
    std::vector<GuardDamage> result = std::move(m_damage);
    m_damage.clear();
    for (auto &[begin, entry] : m_entries) {
        if (entry.isReported || entry.region.kind == MemoryKind::Borrowed)
            continue;
        if (const auto damage = damageOf(entry.region)) {
            entry.isReported = true;
            result.push_back(*damage);
        }
    }
    return result;
}

std::optional<GuardDamage> MemoryMap::damageOf(const MemoryRegion &region) const
{
    for (std::size_t i = 0; i < guardBytes; ++i) {
        if (bytesAt(region.end)[i] != guardByte)
            return GuardDamage{region, std::int64_t(region.size() + i)};
    }
    for (std::size_t i = 1; i <= guardBytes; ++i) {
        if (bytesAt(region.begin)[-std::ptrdiff_t(i)] != guardByte)
            return GuardDamage{region, -std::int64_t(i)};
    }
    return std::nullopt;
}

} // namespace dice::cpudevice
