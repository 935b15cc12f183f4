#include "app/worker/arenas.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace dice::worker {

namespace {

constexpr int inputDescriptor = 3;
constexpr int outputDescriptor = 4;
constexpr std::size_t alignment = 64;

Result<std::span<std::byte>> mapDescriptor(int descriptor, int protection)
{
    struct stat status
    {
    };
    void *mapped = MAP_FAILED;
    if (::fstat(descriptor, &status) == 0)
        mapped = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), protection, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED)
        return failure(ErrorCode::Io, "descriptor " + std::to_string(descriptor) + " is no shared memory");
    ::close(descriptor);
    return std::span(static_cast<std::byte *>(mapped), static_cast<std::size_t>(status.st_size));
}

} // namespace

Result<Arenas> Arenas::map()
{
    const auto input = mapDescriptor(inputDescriptor, PROT_READ);
    const auto output = mapDescriptor(outputDescriptor, PROT_READ | PROT_WRITE);
    if (!input || !output)
        return tl::unexpected((input ? output : input).error());
    Arenas arenas;
    arenas.m_input = *input;
    arenas.m_output = *output;
    return arenas;
}

Result<std::span<const std::byte>> Arenas::inputAt(std::size_t offset, std::size_t sizeBytes) const
{
    if (offset > m_input.size() || sizeBytes > m_input.size() - offset)
        return failure(ErrorCode::InvalidArgument, "a tensor lies outside the input arena");
    return m_input.subspan(offset, sizeBytes);
}

Result<std::size_t> Arenas::store(std::span<const std::byte> bytes)
{
    const std::size_t offset = (m_used + alignment - 1) / alignment * alignment;
    if (offset > m_output.size() || bytes.size() > m_output.size() - offset)
        return failure(ErrorCode::InvalidData, "the values are larger than the shared memory");
    std::copy(bytes.begin(), bytes.end(), m_output.begin() + static_cast<std::ptrdiff_t>(offset));
    m_used = offset + bytes.size();
    return offset;
}

} // namespace dice::worker
