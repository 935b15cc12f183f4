#include "textfile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace dice::formats {

namespace {

class FileDescriptor
{
public:
    explicit FileDescriptor(int fd)
        : m_fd(fd)
    {
    }
    ~FileDescriptor() { close(); }
    FileDescriptor(const FileDescriptor &) = delete;
    FileDescriptor &operator=(const FileDescriptor &) = delete;

    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }
    bool close() { return m_fd < 0 || ::close(std::exchange(m_fd, -1)) == 0; }

private:
    int m_fd;
};

tl::unexpected<Error> ioFailure(std::string_view what, const std::filesystem::path &file, int errorNumber)
{
    const ErrorCode code = errorNumber == ENOENT || errorNumber == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io;
    const char *next = code == ErrorCode::NotFound ? "; check the folder's path" : "; check its permissions";
    return failure(code, std::string(what) + " " + file.string() + ": " + std::strerror(errorNumber) + next);
}

bool writeAll(int fd, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

// The rename itself must reach the disk too; file systems that cannot sync a folder are not an error.
void syncFolder(const std::filesystem::path &folder)
{
    FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.isOpen())
        ::fsync(fd.get());
}

std::filesystem::path folderOf(const std::filesystem::path &file)
{
    return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

template <typename Json> Result<Json> parseFile(const std::filesystem::path &file, std::string_view what)
{
    const Result<std::string> text = readTextFile(file, what);
    if (!text)
        return tl::unexpected(text.error());
    try {
        return Json::parse(*text);
    } catch (const nlohmann::json::exception &error) {
        return failure(ErrorCode::InvalidData,
                       std::string(what) + " " + file.string() + " is not valid JSON; download it again", error.what());
    }
}

} // namespace

Result<std::string> readTextFile(const std::filesystem::path &file, std::string_view what)
{
    // Not blocking: a named pipe in a downloaded folder must not hang the reader.
    FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status = {};
    if (!fd.isOpen() || ::fstat(fd.get(), &status) != 0)
        return ioFailure(what, file, errno);
    if (!S_ISREG(status.st_mode))
        return failure(ErrorCode::InvalidArgument, std::string(what) + " " + file.string() + " is not a regular file");
    if (static_cast<std::size_t>(status.st_size) > maxTextFileBytes) {
        return failure(ErrorCode::InvalidData,
                       std::string(what) + " " + file.string() + " has " + std::to_string(status.st_size)
                           + " bytes, more than any such file needs; download it again");
    }
    std::string content(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t filled = 0;
    while (filled < content.size()) {
        const ssize_t got = ::read(fd.get(), content.data() + filled, content.size() - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return ioFailure(what, file, errno);
        if (got == 0)
            break;
        filled += static_cast<std::size_t>(got);
    }
    content.resize(filled);
    return content;
}

Result<nlohmann::json> readJsonFile(const std::filesystem::path &file, std::string_view what)
{
    return parseFile<nlohmann::json>(file, what);
}

Result<nlohmann::ordered_json> readOrderedJsonFile(const std::filesystem::path &file, std::string_view what)
{
    return parseFile<nlohmann::ordered_json>(file, what);
}

Status replaceFile(const std::filesystem::path &file, const std::function<void(const ByteSink &)> &produce)
{
    static std::atomic<unsigned> counter = 0;
    const std::filesystem::path temporary = folderOf(file)
        / ("." + file.filename().string() + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
    const auto failed = [&](int errorNumber) {
        ::unlink(temporary.c_str());
        return failure(ErrorCode::Io,
                       "file " + file.string() + " could not be written: " + std::strerror(errorNumber)
                           + "; free some space or choose another folder (what was there before is unchanged)");
    };
    FileDescriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!fd.isOpen())
        return failed(errno);
    int writeError = 0;
    produce([&](std::span<const std::byte> bytes) {
        if (writeError == 0 && !writeAll(fd.get(), bytes))
            writeError = errno != 0 ? errno : EIO;
        return writeError == 0;
    });
    if (writeError != 0)
        return failed(writeError);
    if (::fsync(fd.get()) != 0 || !fd.close())
        return failed(errno);
    if (::rename(temporary.c_str(), file.c_str()) != 0)
        return failed(errno);
    syncFolder(folderOf(file));
    return {};
}

Status replaceFile(const std::filesystem::path &file, std::string_view content)
{
    return replaceFile(file, [&](const ByteSink &sink) { sink(std::as_bytes(std::span(content))); });
}

} // namespace dice::formats
