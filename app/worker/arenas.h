// The two shared memories of a worker, mapped; their descriptors are closed at once. A cursor hands out space of the
// output arena; it starts again with every request.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dice::worker {

class Arenas
{
public:
    static Result<Arenas> map();

    std::span<const std::byte> input() const { return m_input; }
    // Bytes of the input arena, or InvalidArgument when a tree points outside.
    Result<std::span<const std::byte>> inputAt(std::size_t offset, std::size_t sizeBytes) const;

    void restart() { m_used = 0; }
    // Copies into the output arena, 64-byte aligned; the offset, or InvalidData when it is full.
    Result<std::size_t> store(std::span<const std::byte> bytes);

private:
    std::span<const std::byte> m_input;
    std::span<std::byte> m_output;
    std::size_t m_used = 0;
};

} // namespace dice::worker
