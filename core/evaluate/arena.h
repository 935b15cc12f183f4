// Shared memory that tensors cross in: an anonymous file, sealed to its size, mapped by the evaluator and handed
// to one box as a descriptor. Must not know what lies in it.
#pragma once

#include "core/base/result.h"
#include "core/evaluate/filedescriptor.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dice::evaluate {

class Arena
{
public:
    enum class Access {
        WorkerReads, // the evaluator writes; the box gets a read-only descriptor and can make no writable mapping
        WorkerWrites, // the box writes; the evaluator only reads, and copies before it looks
    };

    static Result<Arena> create(Access access, std::size_t sizeBytes);

    Arena() = default;
    Arena(Arena &&other) noexcept;
    Arena &operator=(Arena &&other) noexcept;
    ~Arena();

    int descriptorForBox() const { return m_boxDescriptor.get(); }
    std::span<const std::byte> bytes() const { return {m_data, m_sizeBytes}; }
    std::span<std::byte> writableBytes() const; // WorkerReads only

private:
    FileDescriptor m_file;
    FileDescriptor m_boxDescriptor;
    std::byte *m_data = nullptr;
    std::size_t m_sizeBytes = 0;
    Access m_access = Access::WorkerWrites;
};

} // namespace dice::evaluate
