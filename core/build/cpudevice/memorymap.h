// Every piece of memory a kernel may touch: who allocated it is irrelevant, where it begins and ends is not.
// Also hands out guarded memory: bands of a known pattern before and behind, looked at when it is released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace dice::cpudevice {

enum class MemoryKind { Tensor, Runtime, Borrowed }; // torch's allocator, cudaMalloc, memory we only know of

struct MemoryRegion
{
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    MemoryKind kind = MemoryKind::Borrowed;

    std::size_t size() const { return end - begin; }
};

struct GuardDamage
{
    MemoryRegion region;
    std::int64_t offset = 0; // of the first changed byte, relative to the region's begin
};

class MemoryMap
{
public:
    static constexpr std::size_t guardBytes = 512;

    void setPoisoned(bool isPoisoned) { m_isPoisoned = isPoisoned; }

    void *allocate(std::size_t bytes, MemoryKind kind); // 64-byte aligned; null when out of memory
    bool release(void *address); // false: not allocated here
    // Memory of others, until forgetBorrowed. Overlaps with known regions are ignored.
    void borrow(const void *address, std::size_t bytes);
    void forgetBorrowed();

    std::optional<MemoryRegion> find(std::uintptr_t address) const;
    // The region that ends last before the address, or begins first behind it, whichever is nearer.
    std::optional<MemoryRegion> nearest(std::uintptr_t address) const;
    // Damage found by release since the last call, and of all live regions.
    std::vector<GuardDamage> takeDamage();

private:
    struct Entry
    {
        MemoryRegion region;
        bool isReported = false;
    };
    std::optional<GuardDamage> damageOf(const MemoryRegion &region) const;

    mutable std::mutex m_mutex;
    std::map<std::uintptr_t, Entry> m_entries; // by begin
    std::vector<GuardDamage> m_damage;
    bool m_isPoisoned = false;
};

} // namespace dice::cpudevice
