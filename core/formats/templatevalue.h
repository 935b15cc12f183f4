// A value while a template is rendered, and what Python and Jinja do with it. Internal to core/formats.
#pragma once

#include "templatesyntax.h"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dice::formats {

// JSON data, or one of the two things that are none: nothing (an unknown name), and a set of variables that share
// state ("namespace(...)", "loop").
struct TemplateValue
{
    using Json = nlohmann::ordered_json;
    using Variables = std::map<std::string, TemplateValue>;
    enum class Kind { Undefined, Data, Namespace };

    TemplateValue() = default;
    TemplateValue(Json value) // NOLINT(google-explicit-constructor): data is the normal case
        : kind(Kind::Data)
        , data(std::move(value))
    {
    }

    Kind kind = Kind::Undefined;
    Json data;
    std::shared_ptr<Variables> variables;

    bool isUndefined() const { return kind == Kind::Undefined; }
    bool isString() const { return kind == Kind::Data && data.is_string(); }
    bool isInteger() const { return kind == Kind::Data && data.is_number_integer(); }
    bool isNone() const { return kind == Kind::Data && data.is_null(); }
};

// No prompt needs a longer text; a template that doubles one again and again is stopped here.
constexpr std::size_t maxTemplateTextBytes = std::size_t{64} << 20;

bool isTrue(const TemplateValue &value);
bool areEqual(const TemplateValue &a, const TemplateValue &b);
// About what the value takes in memory.
std::size_t sizeBytesOf(const TemplateValue &value);
// str(value); forms whose text would be a guess (floats, lists) are failures that name the line.
std::string textOf(const TemplateValue &value, int line);
std::int64_t lengthOf(const TemplateValue &value, int line);
// What a loop runs over: list items, dict keys, characters.
std::vector<TemplateValue> itemsOf(const TemplateValue &value, int line);
std::vector<std::string> charactersOf(const std::string &text);
bool contains(const TemplateValue &container, const TemplateValue &item, int line);
// json.dumps(value, ensure_ascii=False), with Python's separators.
std::string toJsonText(const TemplateValue::Json &value, int indent = -1);

struct SliceLimits
{
    std::optional<std::int64_t> begin, end, step;
};

// Undefined when there is no such member; a member of something undefined is a failure.
TemplateValue memberOf(const TemplateValue &object, const TemplateValue &key, int line);
TemplateValue sliceOf(const TemplateValue &object, const SliceLimits &limits, int line);

using TemplateArguments = std::vector<TemplateValue>;
using NamedTemplateArguments = std::map<std::string, TemplateValue>;

struct TemplateCall
{
    const std::string &name;
    const TemplateArguments &arguments; // without the subject
    const NamedTemplateArguments &named;
    int line;
};

TemplateValue applyFilter(const TemplateValue &subject, const TemplateCall &call);
bool applyTest(const TemplateValue &subject, const TemplateCall &call);
TemplateValue callMethod(const TemplateValue &subject, const TemplateCall &call);

} // namespace dice::formats
