// The filters, tests and methods that the known chat templates use. Anything else is named in a failure.
#include "templatevalue.h"

#include "utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace dice::formats {

namespace {

using Json = TemplateValue::Json;

const std::string &stringOf(const TemplateValue &value, const TemplateCall &call)
{
    if (!value.isString())
        failTemplate(ErrorCode::InvalidData, "\"" + call.name + "\" on something that is no text", call.line);
    return value.data.get_ref<const std::string &>();
}

void limitText(const std::string &text, const TemplateCall &call)
{
    if (text.size() > maxTemplateTextBytes)
        failTemplate(ErrorCode::Unsupported, "a text longer than any prompt", call.line);
}

void limitArguments(const TemplateCall &call, std::size_t most)
{
    if (call.arguments.size() > most || !call.named.empty())
        failTemplate(ErrorCode::Unsupported, "\"" + call.name + "\" with these arguments", call.line);
}

std::string changeCase(const std::string &text, utf8proc_int32_t (*change)(utf8proc_int32_t))
{
    std::string result;
    for (const std::string &character : charactersOf(text)) {
        utf8proc_int32_t code = 0;
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t *>(character.data()),
                         static_cast<utf8proc_ssize_t>(character.size()), &code);
        utf8proc_uint8_t bytes[4];
        const auto length = utf8proc_encode_char(change(code), bytes);
        result.append(reinterpret_cast<const char *>(bytes), static_cast<std::size_t>(length));
    }
    return result;
}

// What Python's str.strip() takes away when it is given no characters.
bool isPythonSpace(const std::string &character)
{
    static const std::vector<std::string> others{"\u0085", "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003",
                                                 "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200A",
                                                 "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};
    if (character.size() == 1) {
        const char c = character.front();
        return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
    }
    return std::find(others.begin(), others.end(), character) != others.end();
}

enum class Side { Left, Right, Both };

std::string strip(const std::string &text, Side side, const std::optional<std::string> &characters)
{
    const std::vector<std::string> all = charactersOf(text);
    const std::vector<std::string> wanted = characters ? charactersOf(*characters) : std::vector<std::string>();
    const auto goes = [&](const std::string &c) {
        return characters ? std::find(wanted.begin(), wanted.end(), c) != wanted.end() : isPythonSpace(c);
    };
    auto begin = all.begin();
    auto end = all.end();
    if (side != Side::Right)
        begin = std::find_if_not(begin, end, goes);
    if (side != Side::Left) {
        while (end != begin && goes(*(end - 1)))
            --end;
    }
    std::string result;
    for (; begin != end; ++begin)
        result += *begin;
    return result;
}

std::string replaceAll(const std::string &text, const std::string &from, const std::string &to,
                       const TemplateCall &call)
{
    if (from.empty())
        failTemplate(ErrorCode::Unsupported, "a replacement of the empty text", call.line);
    std::string result;
    std::size_t begin = 0;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
        result.append(text, begin, at - begin).append(to);
        begin = at + from.size();
        limitText(result, call);
    }
    return result.append(text, begin, std::string::npos);
}

Json splitText(const std::string &text, const TemplateCall &call)
{
    limitArguments(call, 2);
    if (call.arguments.empty())
        failTemplate(ErrorCode::Unsupported, "split without a separator", call.line);
    const std::string &separator = stringOf(call.arguments[0], call);
    if (separator.empty())
        failTemplate(ErrorCode::InvalidData, "split with an empty separator", call.line);
    std::int64_t left
        = call.arguments.size() > 1 && call.arguments[1].isInteger() ? call.arguments[1].data.get<std::int64_t>() : -1;
    Json parts = Json::array();
    std::size_t begin = 0;
    for (std::size_t at = text.find(separator); at != std::string::npos && left != 0;
         at = text.find(separator, begin)) {
        parts.push_back(text.substr(begin, at - begin));
        begin = at + separator.size();
        --left;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::string joinItems(const TemplateValue &list, const TemplateCall &call)
{
    limitArguments(call, 1);
    const std::string separator = call.arguments.empty() ? std::string() : stringOf(call.arguments[0], call);
    std::string text;
    bool isFirst = true;
    for (const TemplateValue &item : itemsOf(list, call.line)) {
        text += (isFirst ? std::string() : separator) + textOf(item, call.line);
        isFirst = false;
        limitText(text, call);
    }
    return text;
}

TemplateValue firstOrLast(const TemplateValue &subject, const TemplateCall &call)
{
    limitArguments(call, 0);
    const std::vector<TemplateValue> items = itemsOf(subject, call.line);
    if (items.empty())
        return {};
    return call.name == "first" ? items.front() : items.back();
}

TemplateValue defaultValue(const TemplateValue &subject, const TemplateCall &call)
{
    limitArguments(call, 2);
    const bool replacesFalse = call.arguments.size() > 1 && isTrue(call.arguments[1]);
    const bool isReplaced = subject.isUndefined() || (replacesFalse && !isTrue(subject));
    return !isReplaced ? subject : call.arguments.empty() ? TemplateValue(Json(std::string())) : call.arguments[0];
}

std::string jsonFilter(const TemplateValue &subject, const TemplateCall &call)
{
    int indent = -1;
    for (const auto &[name, value] : call.named) {
        if (name != "indent" || !value.isInteger())
            failTemplate(ErrorCode::Unsupported, "tojson with " + name, call.line);
        indent = static_cast<int>(std::clamp<std::int64_t>(value.data.get<std::int64_t>(), 0, 16));
    }
    if (!call.arguments.empty())
        failTemplate(ErrorCode::Unsupported, "tojson with these arguments", call.line);
    if (subject.kind != TemplateValue::Kind::Data)
        failTemplate(ErrorCode::InvalidData, "tojson of something that is not defined", call.line);
    return toJsonText(subject.data, indent);
}

Json pairsOf(const TemplateValue &subject, const TemplateCall &call)
{
    if (subject.kind != TemplateValue::Kind::Data || !subject.data.is_object())
        failTemplate(ErrorCode::InvalidData, "\"" + call.name + "\" of something that is no object", call.line);
    Json pairs = Json::array();
    for (const auto &[key, value] : subject.data.items())
        pairs.push_back(Json::array({key, value}));
    return pairs;
}

using Filter = std::function<TemplateValue(const TemplateValue &, const TemplateCall &)>;

const std::map<std::string, Filter> &filters()
{
    const auto strict = [](auto change) {
        return [change](const TemplateValue &subject, const TemplateCall &call) -> TemplateValue {
            limitArguments(call, 0);
            return Json(change(textOf(subject, call.line)));
        };
    };
    static const Filter length = [](const TemplateValue &subject, const TemplateCall &call) -> TemplateValue {
        limitArguments(call, 0);
        return Json(lengthOf(subject, call.line));
    };
    static const std::map<std::string, Filter> table{
        {"length", length},
        {"count", length},
        {"tojson",
         [](const auto &subject, const auto &call) -> TemplateValue { return Json(jsonFilter(subject, call)); }},
        {"join", [](const auto &subject, const auto &call) -> TemplateValue { return Json(joinItems(subject, call)); }},
        {"items", [](const auto &subject, const auto &call) -> TemplateValue { return pairsOf(subject, call); }},
        {"first", firstOrLast},
        {"last", firstOrLast},
        {"default", defaultValue},
        {"d", defaultValue},
        {"string", strict([](const std::string &text) { return text; })},
        {"upper", strict([](const std::string &text) { return changeCase(text, utf8proc_toupper); })},
        {"lower", strict([](const std::string &text) { return changeCase(text, utf8proc_tolower); })},
        {"trim", strict([](const std::string &text) { return strip(text, Side::Both, {}); })},
        {"list",
         [](const auto &subject, const auto &call) -> TemplateValue {
             limitArguments(call, 0);
             Json list = Json::array();
             for (const TemplateValue &item : itemsOf(subject, call.line))
                 list.push_back(item.data);
             return list;
         }},
        {"replace",
         [](const auto &subject, const auto &call) -> TemplateValue {
             limitArguments(call, 2);
             if (call.arguments.size() != 2)
                 failTemplate(ErrorCode::InvalidData, "replace without two texts", call.line);
             return Json(replaceAll(textOf(subject, call.line), stringOf(call.arguments[0], call),
                                    stringOf(call.arguments[1], call), call));
         }},
    };
    return table;
}

bool anyAffix(const std::string &text, const TemplateCall &call)
{
    limitArguments(call, 1);
    if (call.arguments.size() != 1)
        failTemplate(ErrorCode::InvalidData, "\"" + call.name + "\" without a text", call.line);
    const std::string &affix = stringOf(call.arguments[0], call);
    return call.name == "startswith" ? text.starts_with(affix) : text.ends_with(affix);
}

TemplateValue callTextMethod(const std::string &text, const TemplateCall &call)
{
    const std::string &name = call.name;
    if (name == "startswith" || name == "endswith")
        return Json(anyAffix(text, call));
    if (name == "split")
        return splitText(text, call);
    if (name == "strip" || name == "lstrip" || name == "rstrip") {
        limitArguments(call, 1);
        const Side side = name == "strip" ? Side::Both : name == "lstrip" ? Side::Left : Side::Right;
        std::optional<std::string> characters;
        if (!call.arguments.empty() && !call.arguments[0].isNone())
            characters = stringOf(call.arguments[0], call);
        return Json(strip(text, side, characters));
    }
    if (name == "upper" || name == "lower" || name == "replace")
        return filters().at(name)(Json(text), call);
    if (name == "join" && call.arguments.size() == 1) {
        const TemplateArguments separator{Json(text)};
        return Json(joinItems(call.arguments[0], {call.name, separator, call.named, call.line}));
    }
    failTemplate(ErrorCode::Unsupported, "the text method \"" + name + "\"", call.line);
}

} // namespace

TemplateValue applyFilter(const TemplateValue &subject, const TemplateCall &call)
{
    const auto found = filters().find(call.name);
    if (found == filters().end())
        failTemplate(ErrorCode::Unsupported, "the filter \"" + call.name + "\"", call.line);
    return found->second(subject, call);
}

bool applyTest(const TemplateValue &subject, const TemplateCall &call)
{
    const std::string &name = call.name;
    const bool isData = subject.kind == TemplateValue::Kind::Data;
    if (name == "equalto" || name == "eq" || name == "in") {
        if (call.arguments.size() != 1)
            failTemplate(ErrorCode::InvalidData, "the test \"" + name + "\" without a value", call.line);
        return name == "in" ? contains(call.arguments[0], subject, call.line) : areEqual(subject, call.arguments[0]);
    }
    limitArguments(call, 0);
    if (name == "defined")
        return !subject.isUndefined();
    if (name == "undefined")
        return subject.isUndefined();
    if (name == "none")
        return subject.isNone();
    if (name == "string")
        return subject.isString();
    if (name == "mapping")
        return isData && subject.data.is_object();
    if (name == "sequence" || name == "iterable")
        return subject.isUndefined() || (isData && (subject.data.is_structured() || subject.data.is_string()));
    if (name == "boolean")
        return isData && subject.data.is_boolean();
    if (name == "integer")
        return subject.isInteger();
    if (name == "number")
        return isData && (subject.data.is_number() || subject.data.is_boolean());
    if (name == "true" || name == "false")
        return isData && subject.data.is_boolean() && subject.data.get<bool>() == (name == "true");
    failTemplate(ErrorCode::Unsupported, "the test \"" + name + "\"", call.line);
}

TemplateValue callMethod(const TemplateValue &subject, const TemplateCall &call)
{
    if (subject.isString())
        return callTextMethod(subject.data.get_ref<const std::string &>(), call);
    if (subject.kind == TemplateValue::Kind::Data && subject.data.is_object()) {
        if (call.name == "items" && call.arguments.empty())
            return pairsOf(subject, call);
        if (call.name == "get" && !call.arguments.empty() && call.arguments.size() <= 2) {
            const auto found = subject.data.find(stringOf(call.arguments[0], call));
            if (found != subject.data.end())
                return *found;
            return call.arguments.size() > 1 ? call.arguments[1] : TemplateValue(Json(nullptr));
        }
    }
    if (subject.isUndefined())
        failTemplate(ErrorCode::InvalidData, "\"" + call.name + "\" called on something that is not defined",
                     call.line);
    failTemplate(ErrorCode::Unsupported, "the method \"" + call.name + "\"", call.line);
}

} // namespace dice::formats
