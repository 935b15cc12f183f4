#include "templatevalue.h"

#include "utf8.h"

#include <algorithm>

namespace dice::formats {

namespace {

void appendJson(const TemplateValue::Json &value, int indent, int depth, std::string &text)
{
    const auto breakLine = [&](int level) {
        if (indent >= 0)
            text += "\n" + std::string(static_cast<std::size_t>(indent * level), ' ');
    };
    const std::string_view separator = indent >= 0 ? "," : ", ";
    if (!value.is_structured() || value.empty()) {
        text += value.is_structured() ? (value.is_array() ? "[]" : "{}") : value.dump();
        return;
    }
    text += value.is_array() ? '[' : '{';
    bool isFirst = true;
    for (const auto &[key, item] : value.items()) {
        text += isFirst ? std::string_view() : separator;
        breakLine(depth + 1);
        if (value.is_object())
            text += TemplateValue::Json(key).dump() + ": ";
        appendJson(item, indent, depth + 1, text);
        isFirst = false;
    }
    breakLine(depth);
    text += value.is_array() ? ']' : '}';
}

std::size_t jsonSizeBytes(const TemplateValue::Json &json)
{
    constexpr std::size_t nodeBytes = 96; // the node itself and its share of heap blocks
    std::size_t size = nodeBytes;
    if (json.is_string())
        size += json.get_ref<const std::string &>().size();
    if (json.is_structured()) {
        for (const TemplateValue::Json &item : json)
            size += jsonSizeBytes(item);
    }
    return size;
}

} // namespace

std::size_t sizeBytesOf(const TemplateValue &value)
{
    return jsonSizeBytes(value.data);
}

bool isTrue(const TemplateValue &value)
{
    if (value.kind != TemplateValue::Kind::Data)
        return value.kind == TemplateValue::Kind::Namespace;
    const auto &data = value.data;
    if (data.is_boolean())
        return data.get<bool>();
    if (data.is_number())
        return data.get<double>() != 0;
    if (data.is_string())
        return !data.get_ref<const std::string &>().empty();
    return !data.is_null() && !data.empty();
}

bool areEqual(const TemplateValue &a, const TemplateValue &b)
{
    if (a.kind != b.kind)
        return false;
    if (a.isUndefined())
        return true;
    if (a.kind == TemplateValue::Kind::Namespace)
        return a.variables == b.variables;
    // Python counts True as 1.
    const auto number = [](const TemplateValue::Json &json) {
        return json.is_boolean() ? TemplateValue::Json(json.get<bool>() ? 1 : 0) : json;
    };
    if (a.data.is_object() && b.data.is_object()) // the order of keys does not count
        return nlohmann::json(a.data) == nlohmann::json(b.data);
    return number(a.data) == number(b.data);
}

std::string textOf(const TemplateValue &value, int line)
{
    if (value.isUndefined())
        return {};
    if (value.kind == TemplateValue::Kind::Data) {
        const auto &data = value.data;
        if (data.is_string())
            return data.get<std::string>();
        if (data.is_boolean())
            return data.get<bool>() ? "True" : "False";
        if (data.is_null())
            return "None";
        if (data.is_number_integer())
            return data.dump();
    }
    failTemplate(ErrorCode::Unsupported, "a list, an object or a fraction printed as text", line);
}

std::vector<std::string> charactersOf(const std::string &text)
{
    std::vector<std::string> characters;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t length = std::max<std::size_t>(validCharacterLength(rest), 1);
        characters.emplace_back(rest.substr(0, length));
        rest.remove_prefix(length);
    }
    return characters;
}

std::int64_t lengthOf(const TemplateValue &value, int line)
{
    if (value.isUndefined())
        return 0;
    if (value.isString())
        return static_cast<std::int64_t>(charactersOf(value.data.get_ref<const std::string &>()).size());
    if (value.kind == TemplateValue::Kind::Data && value.data.is_structured())
        return static_cast<std::int64_t>(value.data.size());
    failTemplate(ErrorCode::InvalidData, "the length of something that has none", line);
}

std::vector<TemplateValue> itemsOf(const TemplateValue &value, int line)
{
    std::vector<TemplateValue> items;
    if (value.isUndefined())
        return items;
    if (value.isString()) {
        for (std::string &character : charactersOf(value.data.get_ref<const std::string &>()))
            items.emplace_back(TemplateValue::Json(std::move(character)));
        return items;
    }
    if (value.kind != TemplateValue::Kind::Data || !value.data.is_structured())
        failTemplate(ErrorCode::InvalidData, "a loop over something that has no items", line);
    for (const auto &[key, item] : value.data.items())
        items.emplace_back(value.data.is_object() ? TemplateValue::Json(key) : item);
    return items;
}

bool contains(const TemplateValue &container, const TemplateValue &item, int line)
{
    if (container.isString()) {
        if (!item.isString())
            failTemplate(ErrorCode::InvalidData, "a search in text for something that is no text", line);
        return container.data.get_ref<const std::string &>().find(item.data.get_ref<const std::string &>())
            != std::string::npos;
    }
    const std::vector<TemplateValue> items = itemsOf(container, line);
    return std::any_of(items.begin(), items.end(), [&](const TemplateValue &other) { return areEqual(item, other); });
}

std::string toJsonText(const TemplateValue::Json &value, int indent)
{
    std::string text;
    appendJson(value, indent, 0, text);
    return text;
}

} // namespace dice::formats
