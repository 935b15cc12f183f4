#include "atomicfile.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dice::store {

namespace {

constexpr mode_t fileMode = 0644;

tl::unexpected<Error> writeFailure(const std::filesystem::path &path, int errorNumber)
{
    return failure(ErrorCode::Io,
                   path.string() + " could not be saved: " + describeErrno(errorNumber)
                       + "; what was there before is unchanged");
}

// The new name must be on the disk too, or a power cut brings the old file back.
void flushFolder(const std::filesystem::path &folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

std::string describeErrno(int errorNumber)
{
    if (errorNumber == ENOSPC || errorNumber == EDQUOT)
        return "no space is left on the disk; free some and try again";
    if (errorNumber == EACCES || errorNumber == EROFS || errorNumber == EPERM)
        return "writing is not permitted there; choose another place";
    return std::generic_category().message(errorNumber);
}

AtomicFile::AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int descriptor)
    : m_path(std::move(path))
    , m_temporary(std::move(temporary))
    , m_descriptor(descriptor)
{
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : m_path(std::move(other.m_path))
    , m_temporary(std::move(other.m_temporary))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

AtomicFile &AtomicFile::operator=(AtomicFile &&other) noexcept
{
    if (this != &other) {
        discard();
        m_path = std::move(other.m_path);
        m_temporary = std::move(other.m_temporary);
        m_descriptor = std::exchange(other.m_descriptor, -1);
    }
    return *this;
}

AtomicFile::~AtomicFile()
{
    discard();
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path &path)
{
    const std::filesystem::path absolute = std::filesystem::absolute(path);
    std::string pattern = absolute.string() + ".XXXXXX";
    const int descriptor = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (descriptor < 0)
        return writeFailure(path, errno);
    return AtomicFile(absolute, pattern, descriptor);
}

Status AtomicFile::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return writeFailure(m_path, errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Status AtomicFile::commit()
{
    const bool isFlushed = ::fchmod(m_descriptor, fileMode) == 0 && ::fsync(m_descriptor) == 0;
    if (!isFlushed || ::rename(m_temporary.c_str(), m_path.c_str()) != 0) {
        const int errorNumber = errno;
        discard();
        return writeFailure(m_path, errorNumber);
    }
    ::close(std::exchange(m_descriptor, -1));
    flushFolder(m_path.parent_path());
    return {};
}

void AtomicFile::discard() noexcept
{
    if (m_descriptor < 0)
        return;
    ::close(std::exchange(m_descriptor, -1));
    ::unlink(m_temporary.c_str());
}

Status writeFile(const std::filesystem::path &path, std::string_view bytes)
{
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file)
        return tl::unexpected(file.error());
    if (const Status written = file->write(bytes); !written)
        return written;
    return file->commit();
}

Result<std::string> readFile(const std::filesystem::path &path, std::uint64_t maxBytes)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        return failure(ErrorCode::NotFound, "there is no file " + path.string() + "; check the path");
    if (std::filesystem::is_directory(status))
        return failure(ErrorCode::InvalidArgument, path.string() + " is a folder; give a file in it");
    std::ifstream stream(path, std::ios::binary);
    std::string bytes;
    char portion[1 << 16];
    // Counted while reading: the size that the system tells is 0 for a pipe and old for a growing file.
    while (stream.read(portion, sizeof portion) || stream.gcount() > 0) {
        bytes.append(portion, static_cast<std::size_t>(stream.gcount()));
        if (bytes.size() > maxBytes)
            return failure(ErrorCode::InvalidArgument,
                           path.string() + " is larger than " + std::to_string(maxBytes >> 10)
                               + " KiB; is it the right file?");
    }
    if (!stream.eof())
        return failure(ErrorCode::Io, path.string() + " could not be read; check its permissions");
    return bytes;
}

} // namespace dice::store
