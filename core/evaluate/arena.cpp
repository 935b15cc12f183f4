#include "core/evaluate/arena.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <string>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace dice::evaluate {

namespace {

tl::unexpected<Error> systemFailure(const char *what)
{
    return failure(ErrorCode::Io, std::string("shared memory for a worker cannot be made: ") + what,
                   std::strerror(errno));
}

} // namespace

Result<Arena> Arena::create(Access access, std::size_t sizeBytes)
{
    Arena arena;
    arena.m_access = access;
    arena.m_file = FileDescriptor(::memfd_create("dice-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!arena.m_file.isOpen())
        return systemFailure("memfd_create");
    const int file = arena.m_file.get();
    if (::ftruncate(file, static_cast<off_t>(sizeBytes)) != 0)
        return systemFailure("ftruncate");
    const int protection = access == Access::WorkerReads ? PROT_READ | PROT_WRITE : PROT_READ;
    void *mapped = ::mmap(nullptr, sizeBytes, protection, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED)
        return systemFailure("mmap");
    arena.m_data = static_cast<std::byte *>(mapped);
    arena.m_sizeBytes = sizeBytes;

    int seals = F_SEAL_GROW | F_SEAL_SHRINK;
    if (access == Access::WorkerReads)
        seals |= F_SEAL_FUTURE_WRITE; // our own mapping stays writable
    if (::fcntl(file, F_ADD_SEALS, seals | F_SEAL_SEAL) != 0)
        return systemFailure("sealing");
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    const int mode = access == Access::WorkerReads ? O_RDONLY : O_RDWR;
    arena.m_boxDescriptor = FileDescriptor(::open(path.c_str(), mode | O_CLOEXEC));
    if (!arena.m_boxDescriptor.isOpen())
        return systemFailure("reopening");
    return arena;
}

Arena::Arena(Arena &&other) noexcept
{
    *this = std::move(other);
}

Arena &Arena::operator=(Arena &&other) noexcept
{
    std::swap(m_file, other.m_file);
    std::swap(m_boxDescriptor, other.m_boxDescriptor);
    std::swap(m_data, other.m_data);
    std::swap(m_sizeBytes, other.m_sizeBytes);
    std::swap(m_access, other.m_access);
    return *this;
}

Arena::~Arena()
{
    if (m_data != nullptr)
        ::munmap(m_data, m_sizeBytes);
}

std::span<std::byte> Arena::writableBytes() const
{
    assert(m_access == Access::WorkerReads);
    return {m_data, m_sizeBytes};
}

} // namespace dice::evaluate
