// Files that are whole or not there: written beside their place, flushed to the disk, then renamed over the old one.
// A full disk or a kill at any moment leaves the old file as it was.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dice::store {

class AtomicFile
{
public:
    // Opens a temporary file in the folder of `path`, which must exist.
    static Result<AtomicFile> create(const std::filesystem::path &path);

    AtomicFile(AtomicFile &&other) noexcept;
    AtomicFile &operator=(AtomicFile &&other) noexcept;
    ~AtomicFile(); // without commit(): nothing is left behind

    Status write(std::string_view bytes);

    // Flushes and renames. After it the object is done, whether it succeeded or not.
    Status commit();

private:
    AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int descriptor);
    void discard() noexcept;

    std::filesystem::path m_path;
    std::filesystem::path m_temporary;
    int m_descriptor = -1;
};

Status writeFile(const std::filesystem::path &path, std::string_view bytes);

// NotFound when there is no such file, InvalidArgument for a folder or more than maxBytes, Io otherwise.
Result<std::string> readFile(const std::filesystem::path &path, std::uint64_t maxBytes);

// "no space is left on the disk", or what the system says about an errno.
std::string describeErrno(int errorNumber);

} // namespace dice::store
