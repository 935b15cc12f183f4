#include "core/evaluate/value.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string_view>

namespace dice::evaluate {

namespace {

constexpr int maxDepth = 32;
constexpr int maxNodes = 20000;
constexpr std::size_t maxRank = 64;

struct Malformed
{
    std::string what;
};

class Parser
{
public:
    explicit Parser(std::size_t arenaBytes)
        : m_arenaBytes(arenaBytes)
    {
    }

    Value node(const Json &json, int depth)
    {
        if (depth > maxDepth || ++m_numNodes > maxNodes)
            throw Malformed{"a value with too many levels or parts"};
        const std::string kind = json.at("kind").get<std::string>();
        Value value;
        if (kind == "tensor") {
            value.kind = ValueKind::Tensor;
            value.tensor = tensor(json);
        } else if (kind == "list" || kind == "tuple" || kind == "dict") {
            parts(json, kind == "dict", depth, value);
        } else {
            scalar(json, kind, value);
        }
        return value;
    }

private:
    void parts(const Json &json, bool isDict, int depth, Value &value)
    {
        value.kind = isDict ? ValueKind::Dict : ValueKind::Sequence;
        for (const Json &item : json.at("items"))
            value.items.push_back(node(item, depth + 1));
        if (!isDict)
            return;
        for (const Json &key : json.at("keys"))
            value.keys.push_back(keyText(node(key, depth + 1)));
        if (value.keys.size() != value.items.size())
            throw Malformed{"a dict with another number of keys than values"};
    }

    static std::string keyText(const Value &key)
    {
        return key.kind == ValueKind::Text ? "'" + key.text + "'" : key.text;
    }

    static void scalar(const Json &json, const std::string &kind, Value &value)
    {
        if (kind == "none") {
            value.kind = ValueKind::None;
        } else if (kind == "bool") {
            value.kind = ValueKind::Bool;
            value.text = json.at("value").get<bool>() ? "True" : "False";
        } else if (kind == "int") {
            value.kind = ValueKind::Int;
            value.text = json.at("value").get<std::string>();
        } else if (kind == "float") {
            value.kind = ValueKind::Float;
            value.text = json.at("value").get<std::string>();
            value.number = std::strtod(value.text.c_str(), nullptr); // float.hex() of Python, or nan, inf
        } else if (kind == "str") {
            value.kind = ValueKind::Text;
            value.text = json.at("value").get<std::string>();
        } else if (kind == "other") {
            value.kind = ValueKind::Other;
            value.text = json.at("type").get<std::string>().substr(0, 200);
        } else {
            throw Malformed{"a value of kind " + kind.substr(0, 40)};
        }
    }

    TensorLayout tensor(const Json &json) const
    {
        TensorLayout layout;
        const std::string dtype = json.at("dtype").get<std::string>();
        layout.format = findNumberFormat(dtype);
        if (layout.format == nullptr)
            throw Malformed{"a tensor of dtype " + dtype.substr(0, 40)};
        layout.shape = json.at("shape").get<std::vector<std::int64_t>>();
        layout.stride = json.at("stride").get<std::vector<std::int64_t>>();
        layout.offset = json.at("offset").get<std::size_t>();
        layout.sizeBytes = json.at("nbytes").get<std::size_t>();
        if (layout.shape.size() != layout.stride.size() || layout.shape.size() > maxRank)
            throw Malformed{"a tensor whose shape and stride do not fit"};
        if (layout.offset > m_arenaBytes || layout.sizeBytes > m_arenaBytes - layout.offset)
            throw Malformed{"a tensor outside the shared memory"};
        checkExtent(layout);
        return layout;
    }

    // The last element must lie inside sizeBytes; the element count must be one that memory could hold or that
    // stride 0 repeats, never an overflow.
    static void checkExtent(const TensorLayout &layout)
    {
        constexpr std::int64_t cap = std::int64_t{1} << 40;
        const bool isEmpty = std::find(layout.shape.begin(), layout.shape.end(), 0) != layout.shape.end();
        std::int64_t count = 1;
        std::int64_t last = 0;
        for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
            const std::int64_t size = layout.shape[axis];
            const std::int64_t step = layout.stride[axis];
            if (size < 0 || step < 0 || size > cap || step > cap)
                throw Malformed{"a tensor with an impossible size"};
            if (isEmpty)
                continue;
            if (size > cap / count || (step > 0 && size - 1 > (cap - last) / step))
                throw Malformed{"a tensor with an impossible size"};
            count *= size;
            last += (size - 1) * step;
        }
        const auto needed = isEmpty ? 0 : static_cast<std::size_t>(last + 1) * layout.format->sizeBytes;
        if (needed > layout.sizeBytes)
            throw Malformed{"a tensor larger than its bytes"};
    }

    std::size_t m_arenaBytes;
    int m_numNodes = 0;
};

std::size_t usedBytes(const Value &value)
{
    std::size_t used = value.kind == ValueKind::Tensor ? value.tensor.offset + value.tensor.sizeBytes : 0;
    for (const Value &item : value.items)
        used = std::max(used, usedBytes(item));
    return used;
}

std::uint64_t mix(std::uint64_t hash, std::string_view text)
{
    return (hash ^ std::hash<std::string_view>{}(text)) * 0x9e3779b97f4a7c15ull + (hash >> 29);
}

std::uint64_t digestOf(const Value &value, std::span<const std::byte> bytes, std::uint64_t hash)
{
    hash = mix(hash, value.text) + static_cast<std::uint64_t>(value.kind);
    if (value.kind == ValueKind::Tensor) {
        for (const std::int64_t size : value.tensor.shape)
            hash = mix(hash, std::to_string(size));
        const auto *data = reinterpret_cast<const char *>(bytes.data() + value.tensor.offset);
        hash = mix(hash, std::string_view(data, value.tensor.sizeBytes));
    }
    for (const std::string &key : value.keys)
        hash = mix(hash, key);
    for (const Value &item : value.items)
        hash = digestOf(item, bytes, hash);
    return hash;
}

} // namespace

std::int64_t TensorLayout::numElements() const
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return count;
}

Result<Value> parseValue(const Json &tree, std::size_t arenaBytes)
{
    try {
        return Parser(arenaBytes).node(tree, 0);
    } catch (const Malformed &fault) {
        return failure(ErrorCode::InvalidData, "a worker described " + fault.what);
    } catch (const Json::exception &fault) {
        return failure(ErrorCode::InvalidData, "a worker's description of a value cannot be read", fault.what());
    }
}

Result<CallValues> takeValues(const Json &tree, std::span<const std::byte> arena)
{
    Result<Value> root = parseValue(tree, arena.size());
    if (!root)
        return tl::unexpected(root.error());
    const auto used = arena.first(usedBytes(*root));
    return CallValues{tree, std::move(*root), std::vector<std::byte>(used.begin(), used.end())};
}

std::int64_t numElements(const Value &value)
{
    std::int64_t count = value.kind == ValueKind::Tensor ? value.tensor.numElements() : 0;
    for (const Value &item : value.items)
        count += numElements(item);
    return count;
}

std::uint64_t digest(const CallValues &values)
{
    return digestOf(values.root, values.bytes, 0x243f6a8885a308d3ull);
}

} // namespace dice::evaluate
