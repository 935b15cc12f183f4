#include "safetensorsheader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>

namespace dice::formats {

namespace {

using nlohmann::json;

constexpr std::size_t lengthBytes = 8;

class HeaderParser
{
public:
    HeaderParser(std::span<const std::byte> file, const std::string &path)
        : m_file(file)
        , m_path(path)
    {
    }

    Result<SafetensorsHeader> parse();

private:
    tl::unexpected<Error> wrong(const std::string &why) const
    {
        return failure(ErrorCode::InvalidData, "weights file " + m_path + ": " + why + "; download it again");
    }
    Result<json> parseJson(std::string_view text);
    Status readMetadata(const json &entry);
    Status readTensor(const std::string &name, const json &entry);
    Result<std::uint64_t> sizeOf(const TensorView &tensor) const;
    Status checkCoverage() const;

    std::span<const std::byte> m_file;
    const std::string &m_path;
    std::span<const std::byte> m_data;
    SafetensorsHeader m_header;
};

Result<SafetensorsHeader> HeaderParser::parse()
{
    if (m_file.size() < lengthBytes)
        return wrong("it has only " + std::to_string(m_file.size()) + " bytes");
    std::uint64_t headerBytes = 0;
    std::memcpy(&headerBytes, m_file.data(), lengthBytes);
    if (headerBytes > maxHeaderBytes)
        return wrong("its header claims " + std::to_string(headerBytes) + " bytes, so it is not a safetensors file");
    if (headerBytes > m_file.size() - lengthBytes) {
        return wrong("its header ends " + std::to_string(headerBytes - (m_file.size() - lengthBytes))
                     + " bytes after the file");
    }
    m_data = m_file.subspan(lengthBytes + headerBytes);
    const auto text = std::string_view(reinterpret_cast<const char *>(m_file.data()) + lengthBytes, headerBytes);
    const Result<json> header = parseJson(text);
    if (!header)
        return tl::unexpected(header.error());
    for (const auto &[name, entry] : header->items()) {
        const Status status = name == "__metadata__" ? readMetadata(entry) : readTensor(name, entry);
        if (!status)
            return tl::unexpected(status.error());
    }
    if (const Status status = checkCoverage(); !status)
        return tl::unexpected(status.error());
    return std::move(m_header);
}

Result<json> HeaderParser::parseJson(std::string_view text)
{
    std::set<std::string> names;
    std::string doubled;
    constexpr int tensorDepth = 1;
    const auto notice = [&](int depth, json::parse_event_t event, json &parsed) {
        if (event == json::parse_event_t::key && depth == tensorDepth
            && !names.insert(parsed.get_ref<const std::string &>()).second)
            doubled = parsed.get<std::string>();
        return true;
    };
    try {
        json header = json::parse(text, notice);
        if (!header.is_object())
            return wrong("its header is not a JSON object");
        if (!doubled.empty())
            return wrong("its header names tensor " + doubled + " twice");
        return header;
    } catch (const json::exception &) {
        return wrong("its header is not valid JSON");
    }
}

Status HeaderParser::readMetadata(const json &entry)
{
    if (!entry.is_object())
        return wrong("its __metadata__ is not an object");
    for (const auto &[key, value] : entry.items()) {
        if (!value.is_string())
            return wrong("its __metadata__ entry " + key + " is not a text");
        m_header.metadata.emplace(key, value.get<std::string>());
    }
    return {};
}

Status HeaderParser::readTensor(const std::string &name, const json &entry)
{
    const std::string subject = "tensor " + name;
    const auto isCount = [](const json &number) { return number.is_number_unsigned(); };
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets"))
        return wrong(subject + " lacks dtype, shape or data_offsets");
    const json &dtype = entry["dtype"];
    const json &shape = entry["shape"];
    const json &offsets = entry["data_offsets"];
    if (!dtype.is_string())
        return wrong(subject + " has a dtype that is no text");
    const auto type = dtypeFromString(dtype.get_ref<const std::string &>());
    if (!type)
        return wrong(subject + " has the " + type.error().message);
    if (!shape.is_array() || !std::all_of(shape.begin(), shape.end(), isCount))
        return wrong(subject + " has a shape that is no list of sizes");
    if (!offsets.is_array() || offsets.size() != 2 || !std::all_of(offsets.begin(), offsets.end(), isCount))
        return wrong(subject + " has data_offsets that are no pair of positions");

    TensorView tensor{.name = name, .dtype = *type, .shape = {}, .bytes = {}};
    for (const json &size : shape) {
        const auto value = size.get<std::uint64_t>();
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return wrong(subject + " has a size beyond any memory");
        tensor.shape.push_back(static_cast<std::int64_t>(value));
    }
    const auto begin = offsets[0].get<std::uint64_t>();
    const auto end = offsets[1].get<std::uint64_t>();
    if (begin > end)
        return wrong(subject + " ends before it begins");
    if (end > m_data.size())
        return wrong(subject + " ends " + std::to_string(end - m_data.size()) + " bytes after the file");
    const auto size = sizeOf(tensor);
    if (!size)
        return tl::unexpected(size.error());
    if (*size != end - begin) {
        return wrong(subject + " needs " + std::to_string(*size) + " bytes by its shape and has "
                     + std::to_string(end - begin));
    }
    tensor.bytes = m_data.subspan(begin, end - begin);
    m_header.tensors.push_back(std::move(tensor));
    return {};
}

Result<std::uint64_t> HeaderParser::sizeOf(const TensorView &tensor) const
{
    std::uint64_t size = itemSize(tensor.dtype);
    if (std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end())
        return 0;
    for (const std::int64_t factor : tensor.shape) {
        if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(factor), &size))
            return wrong("tensor " + tensor.name + " has a shape beyond any memory");
    }
    return size;
}

// The tensors must cover the data exactly: an overlap would let one tensor change another's meaning, a gap hides data.
Status HeaderParser::checkCoverage() const
{
    std::vector<const TensorView *> byPosition;
    for (const TensorView &tensor : m_header.tensors)
        byPosition.push_back(&tensor);
    const auto endOf = [](const TensorView *t) { return t->bytes.data() + t->bytes.size(); };
    std::sort(byPosition.begin(), byPosition.end(), [&](const TensorView *a, const TensorView *b) {
        return std::pair(a->bytes.data(), endOf(a)) < std::pair(b->bytes.data(), endOf(b));
    });
    const std::byte *covered = m_data.data();
    for (const TensorView *tensor : byPosition) {
        if (tensor->bytes.data() < covered)
            return wrong("tensor " + tensor->name + " overlaps another one");
        if (tensor->bytes.data() > covered)
            return wrong("there are bytes of no tensor before tensor " + tensor->name);
        covered = endOf(tensor);
    }
    if (covered != m_data.data() + m_data.size())
        return wrong("there are bytes of no tensor at its end");
    return {};
}

} // namespace

Result<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::byte> file, const std::string &path)
{
    return HeaderParser(file, path).parse();
}

Result<SafetensorsLayout> layOutSafetensors(std::span<const TensorView> tensors, const TensorMetadata &metadata)
{
    SafetensorsLayout layout;
    layout.order.resize(tensors.size());
    std::iota(layout.order.begin(), layout.order.end(), std::size_t{0});
    std::stable_sort(layout.order.begin(), layout.order.end(), [&](std::size_t a, std::size_t b) {
        return itemSize(tensors[a].dtype) > itemSize(tensors[b].dtype);
    });
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    std::set<std::string_view> names;
    std::uint64_t position = 0;
    for (const std::size_t i : layout.order) {
        const TensorView &tensor = tensors[i];
        std::uint64_t expected = itemSize(tensor.dtype);
        for (const std::int64_t size : tensor.shape)
            expected *= static_cast<std::uint64_t>(size);
        if (!names.insert(tensor.name).second || tensor.name == "__metadata__" || expected != tensor.bytes.size()) {
            return failure(ErrorCode::Internal,
                           "tensor " + tensor.name + " cannot be written: its name or its size is wrong");
        }
        header[tensor.name] = {{"dtype", toString(tensor.dtype)},
                               {"shape", tensor.shape},
                               {"data_offsets", {position, position + tensor.bytes.size()}}};
        position += tensor.bytes.size();
    }
    std::string text = header.dump();
    text.resize((text.size() + lengthBytes - 1) / lengthBytes * lengthBytes, ' ');
    const std::uint64_t length = text.size();
    layout.header.assign(reinterpret_cast<const char *>(&length), lengthBytes);
    layout.header += text;
    return layout;
}

} // namespace dice::formats
