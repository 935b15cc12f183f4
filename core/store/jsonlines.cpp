#include "jsonlines.h"

#include "core/store/atomicfile.h"

#include <cerrno>
#include <fstream>
#include <sstream>

namespace dice::store {

namespace {

// The length of the file up to and with its last line end.
std::uintmax_t wholeLinesBytes(const std::filesystem::path &path)
{
    std::ifstream stream(path, std::ios::binary);
    std::uintmax_t whole = 0;
    std::uintmax_t offset = 0;
    for (std::string line; std::getline(stream, line);) {
        offset += line.size() + 1;
        if (!stream.eof())
            whole = offset;
    }
    return whole;
}

} // namespace

Result<JsonLinesWriter> JsonLinesWriter::open(const std::filesystem::path &path)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error && size > 0) {
        const std::uintmax_t whole = wholeLinesBytes(path);
        if (whole < size)
            std::filesystem::resize_file(path, whole, error);
    }
    JsonLinesWriter writer;
    writer.m_path = path;
    writer.m_file.reset(std::fopen(path.c_str(), "ae"));
    if (!writer.m_file)
        return failure(ErrorCode::Io, path.string() + " could not be opened: " + describeErrno(errno));
    return writer;
}

Status JsonLinesWriter::append(const Json &document)
{
    const std::string line = document.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    if (std::fwrite(line.data(), 1, line.size(), m_file.get()) != line.size() || std::fflush(m_file.get()) != 0)
        return failure(ErrorCode::Io, m_path.string() + " could not be written: " + describeErrno(errno));
    return {};
}

Result<std::vector<Json>> JsonLinesReader::readNew()
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(m_path, error);
    if (error)
        return std::vector<Json>{};
    if (size < m_offsetBytes) {
        m_offsetBytes = 0;
        m_numLines = 0;
    }
    std::ifstream stream(m_path, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(m_offsetBytes));
    std::vector<Json> documents;
    for (std::string line; std::getline(stream, line) && !stream.eof();) {
        Json document = Json::parse(line, nullptr, false);
        if (document.is_discarded() && !documents.empty())
            break; // what came before is given first, the next call names the line
        m_offsetBytes += line.size() + 1;
        ++m_numLines;
        if (document.is_discarded())
            return failure(ErrorCode::InvalidData,
                           m_path.string() + ", line " + std::to_string(m_numLines) + ": this is no JSON");
        documents.push_back(std::move(document));
    }
    return documents;
}

} // namespace dice::store
