// The parts of a chat template: what the parser builds and the interpreter walks. Internal to core/formats.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dice::formats {

// Thrown inside the template files only, caught in chattemplate.cpp.
struct TemplateFailure
{
    Error error;
};
[[noreturn]] void failTemplate(ErrorCode code, const std::string &what, int line);

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression
{
    enum class Kind {
        String,
        Integer,
        Boolean, // integer 0 or 1
        None,
        List,
        Dict, // children: key, value, key, value ...
        Name,
        Attribute, // children[0].text
        Item, // children[0][children[1]]
        Slice, // children[0][a:b:c], absent ones null
        Call, // text(children), a global function
        Method, // children[0].text(rest)
        Filter, // children[0] | text(rest)
        Test, // children[0] is text(rest)
        Unary, // text: "not", "-", "+"
        Binary, // text: the operator
        Conditional, // children: value, condition, other (may be null)
    };

    Kind kind;
    int line = 0;
    std::string text;
    std::int64_t integer = 0;
    std::vector<ExpressionPtr> children;
    std::vector<std::pair<std::string, ExpressionPtr>> named; // name=value arguments
};

struct Statement
{
    enum class Kind {
        Text,
        Output, // expression
        If, // expression, body, otherwise
        For, // names in expression, condition; body, otherwise
        Set, // names = expression, or names[0].attribute = expression, or names[0] = body
        Break,
        Continue,
    };

    Kind kind;
    int line = 0;
    std::string text = {};
    std::vector<std::string> names = {};
    std::string attribute = {};
    ExpressionPtr expression = {};
    ExpressionPtr condition = {};
    std::vector<Statement> body = {};
    std::vector<Statement> otherwise = {};
};

// The source cut at its tags, white space control already applied.
struct TemplateSegment
{
    enum class Kind { Text, Output, Statement };

    Kind kind;
    int line = 0;
    std::string text; // without the tag's delimiters
};

struct TemplateToken
{
    enum class Kind { Name, String, Integer, Operator, End };

    Kind kind;
    std::string text;
    std::int64_t integer = 0;
    int line = 0;
};

std::vector<TemplateSegment> cutTemplate(std::string_view source);
std::vector<TemplateToken> tokenizeTag(const TemplateSegment &segment);
std::vector<Statement> parseTemplate(std::string_view source);

} // namespace dice::formats
