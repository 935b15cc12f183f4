// Append-only files of one JSON document a line, written by one process while others read. A line counts once its
// line end is there, so a reader never sees half of one.
#pragma once

#include "core/data/json.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

namespace dice::store {

class JsonLinesWriter
{
public:
    // Appends to what is there; half a line that a killed writer left is cut off first.
    static Result<JsonLinesWriter> open(const std::filesystem::path &path);

    Status append(const Json &document); // handed to the system before it returns, so readers see it

private:
    struct Close
    {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };

    std::filesystem::path m_path;
    std::unique_ptr<std::FILE, Close> m_file;
};

class JsonLinesReader
{
public:
    explicit JsonLinesReader(std::filesystem::path path)
        : m_path(std::move(path))
    {
    }

    // The documents that came since the last call; none while the file does not exist. A line that is no JSON is
    // InvalidData with its number, and the next call goes on behind it. Starts anew when the file became shorter.
    Result<std::vector<Json>> readNew();

private:
    std::filesystem::path m_path;
    std::uintmax_t m_offsetBytes = 0;
    int m_numLines = 0;
};

} // namespace dice::store
