#include "artefactcache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace dice::build {

namespace fs = std::filesystem;

namespace {

constexpr const char *reportName = "report.json";
constexpr const char *unfinishedPrefix = ".new-";

// Held by one process at a time; the system lets go of it when the process ends, however it ends.
class FolderLock
{
public:
    explicit FolderLock(const std::string &root)
        : m_fd(open((root + "/.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600))
    {
        while (m_fd >= 0 && flock(m_fd, LOCK_EX) != 0 && errno == EINTR) { }
    }
    ~FolderLock()
    {
        if (m_fd >= 0)
            close(m_fd);
    }
    FolderLock(const FolderLock &) = delete;
    FolderLock &operator=(const FolderLock &) = delete;
    bool isHeld() const { return m_fd >= 0; }

private:
    int m_fd;
};

bool isKey(const std::string &name)
{
    return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool writeFile(const fs::path &path, const std::string &bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), std::streamsize(bytes.size()));
    file.close();
    return bool(file);
}

std::int64_t sizeOf(const fs::path &folder)
{
    std::error_code ignored;
    std::int64_t bytes = 0;
    for (const fs::directory_entry &file : fs::directory_iterator(folder, ignored))
        bytes += std::int64_t(file.is_regular_file(ignored) ? file.file_size(ignored) : 0);
    return bytes;
}

tl::unexpected<Error> ioFailure(const std::string &root, const std::string &what)
{
    return failure(ErrorCode::Io,
                   "the cache of built kernels in " + root + " cannot be " + what
                       + ": free disk space or check its permissions",
                   std::strerror(errno));
}

} // namespace

ArtefactCache::ArtefactCache(std::string root, std::int64_t maxBytes)
    : m_root(std::move(root))
    , m_maxBytes(maxBytes)
{
}

std::optional<CachedArtefact> ArtefactCache::find(const std::string &key) const
{
    if (!isKey(key))
        return std::nullopt;
    const fs::path folder = fs::path(m_root) / key;
    std::ifstream report(folder / reportName, std::ios::binary);
    if (!report)
        return std::nullopt;
    utimensat(AT_FDCWD, folder.c_str(), nullptr, 0); // used now; may fail on a read-only cache
    return CachedArtefact{fs::absolute(folder).string(), std::string(std::istreambuf_iterator<char>(report), {})};
}

Result<CachedArtefact> ArtefactCache::store(const std::string &key, const std::map<std::string, std::string> &files,
                                            const std::string &report)
{
    if (!isKey(key))
        return failure(ErrorCode::InvalidArgument, "'" + key + "' is no key of the cache");
    std::error_code error;
    fs::create_directories(m_root, error);
    if (error)
        return ioFailure(m_root, "made");
    const fs::path fresh = fs::path(m_root) / (unfinishedPrefix + key + "-" + std::to_string(getpid()));
    fs::remove_all(fresh, error);
    fs::create_directory(fresh, error);
    bool isWritten = !error;
    for (const auto &[name, bytes] : files)
        isWritten = isWritten && name.find('/') == std::string::npos && writeFile(fresh / name, bytes);
    isWritten = isWritten && writeFile(fresh / reportName, report);
    if (isWritten && rename(fresh.c_str(), (fs::path(m_root) / key).c_str()) != 0)
        isWritten = errno == EEXIST || errno == ENOTEMPTY; // another process was first, with the same content
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    if (!isWritten)
        return ioFailure(m_root, "written");
    if (Status trimmed = trim(); !trimmed)
        return tl::unexpected(trimmed.error());
    if (auto stored = find(key))
        return *stored;
    return failure(ErrorCode::Io,
                   "the built kernel is larger than its cache of " + std::to_string(m_maxBytes)
                       + " bytes: raise the cache's size");
}

Status ArtefactCache::trim() const
{
    const FolderLock lock(m_root);
    if (!lock.isHeld())
        return ioFailure(m_root, "locked");
    struct Entry
    {
        fs::path path;
        fs::file_time_type used;
        std::int64_t bytes;
    };
    std::vector<Entry> entries;
    std::int64_t total = 0;
    std::error_code ignored;
    const auto hourAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const fs::directory_entry &item : fs::directory_iterator(m_root, ignored)) {
        const std::string name = item.path().filename().string();
        const auto used = item.last_write_time(ignored);
        if (name.starts_with(unfinishedPrefix) && used < hourAgo)
            fs::remove_all(item.path(), ignored); // left by a process that was killed
        else if (isKey(name))
            entries.push_back({item.path(), used, sizeOf(item.path())});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.used > b.used; });
    for (const Entry &entry : entries) {
        total += entry.bytes;
        if (total > m_maxBytes)
            fs::remove_all(entry.path, ignored);
    }
    return {};
}

} // namespace dice::build
