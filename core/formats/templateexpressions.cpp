#include "templateexpressions.h"

namespace dice::formats {

using Kind = Expression::Kind;

ExpressionPtr ExpressionParser::parseExpression()
{
    const Nesting nesting(*this);
    ExpressionPtr value = parseOr();
    while (isNext("if")) {
        ExpressionPtr conditional = make(Kind::Conditional);
        take();
        conditional->children.push_back(std::move(value));
        conditional->children.push_back(parseOr());
        conditional->children.push_back(takeIf("else") ? parseExpression() : nullptr);
        value = std::move(conditional);
    }
    return value;
}

ExpressionPtr ExpressionParser::parseBinary(std::initializer_list<std::string_view> operators, Step operand)
{
    ExpressionPtr left = (this->*operand)();
    while (std::any_of(operators.begin(), operators.end(), [&](std::string_view text) { return isNext(text); })) {
        ExpressionPtr binary = make(Kind::Binary, peek().text);
        take();
        binary->children.push_back(std::move(left));
        binary->children.push_back((this->*operand)());
        left = std::move(binary);
    }
    return left;
}

ExpressionPtr ExpressionParser::parseOr()
{
    return parseBinary({"or"}, &ExpressionParser::parseAnd);
}
ExpressionPtr ExpressionParser::parseAnd()
{
    return parseBinary({"and"}, &ExpressionParser::parseNot);
}

ExpressionPtr ExpressionParser::parseNot()
{
    const Nesting nesting(*this);
    if (!isNext("not"))
        return parseComparison();
    ExpressionPtr result = make(Kind::Unary, "not");
    take();
    result->children.push_back(parseNot());
    return result;
}

ExpressionPtr ExpressionParser::parseComparison()
{
    ExpressionPtr left = parseSum();
    bool isChained = false;
    while (true) {
        std::string text;
        for (const std::string_view known : {"==", "!=", "<=", ">=", "<", ">", "in"}) {
            if (isNext(known))
                text = known;
        }
        if (isNext("not") && peek(1).kind == TemplateToken::Kind::Name && peek(1).text == "in") {
            take();
            text = "not in";
        }
        if (text.empty())
            return left;
        if (isChained)
            failTemplate(ErrorCode::Unsupported, "a chain of comparisons", peek().line);
        ExpressionPtr binary = make(Kind::Binary, text);
        take();
        binary->children.push_back(std::move(left));
        binary->children.push_back(parseSum());
        left = std::move(binary);
        isChained = true;
    }
}

ExpressionPtr ExpressionParser::parseSum()
{
    return parseBinary({"+", "-"}, &ExpressionParser::parseConcatenation);
}
ExpressionPtr ExpressionParser::parseConcatenation()
{
    return parseBinary({"~"}, &ExpressionParser::parseProduct);
}
ExpressionPtr ExpressionParser::parseProduct()
{
    return parseBinary({"*", "/", "//", "%"}, &ExpressionParser::parseUnary);
}

ExpressionPtr ExpressionParser::parseUnary()
{
    const Nesting nesting(*this);
    if (!isNext("-") && !isNext("+"))
        return parseFiltered();
    ExpressionPtr result = make(Kind::Unary, peek().text);
    take();
    result->children.push_back(parseUnary());
    return result;
}

ExpressionPtr ExpressionParser::parseFiltered()
{
    ExpressionPtr value = parsePostfix();
    while (true) {
        if (isNext("|")) {
            take();
            ExpressionPtr filter = make(Kind::Filter);
            filter->text = expectName();
            filter->children.push_back(std::move(value));
            if (isNext("("))
                parseArguments(*filter);
            value = std::move(filter);
        } else if (isNext("is")) {
            value = parseTest(std::move(value));
        } else {
            return value;
        }
    }
}

ExpressionPtr ExpressionParser::parseTest(ExpressionPtr subject)
{
    take(); // is
    const bool isNegated = takeIf("not");
    ExpressionPtr test = make(Kind::Test);
    test->text = expectName();
    test->children.push_back(std::move(subject));
    const TemplateToken &next = peek();
    const bool isOperand = next.kind == TemplateToken::Kind::String || next.kind == TemplateToken::Kind::Integer;
    if (isNext("("))
        parseArguments(*test);
    else if (isOperand)
        test->children.push_back(parsePrimary()); // "is divisibleby 3"
    if (!isNegated)
        return test;
    ExpressionPtr negation = make(Kind::Unary, "not");
    negation->children.push_back(std::move(test));
    return negation;
}

ExpressionPtr ExpressionParser::parsePostfix()
{
    ExpressionPtr value = parsePrimary();
    while (true) {
        if (takeIf(".")) {
            const bool isMethod = peek(1).kind == TemplateToken::Kind::Operator && peek(1).text == "(";
            ExpressionPtr access = make(isMethod ? Kind::Method : Kind::Attribute);
            access->text = expectName();
            access->children.push_back(std::move(value));
            if (isMethod)
                parseArguments(*access);
            value = std::move(access);
        } else if (isNext("[")) {
            value = parseSubscript(std::move(value));
        } else {
            return value;
        }
    }
}

ExpressionPtr ExpressionParser::parseSubscript(ExpressionPtr object)
{
    ExpressionPtr item = make(Kind::Item);
    take(); // [
    item->children.push_back(std::move(object));
    const auto partUnlessColon
        = [&]() -> ExpressionPtr { return isNext(":") || isNext("]") ? nullptr : parseExpression(); };
    item->children.push_back(partUnlessColon());
    while (takeIf(":")) {
        item->kind = Kind::Slice;
        item->children.push_back(partUnlessColon());
    }
    if (item->kind == Kind::Slice)
        item->children.resize(std::max<std::size_t>(item->children.size(), 4));
    const std::size_t expected = item->kind == Kind::Slice ? 4 : 2;
    if (item->children.size() != expected || (item->kind == Kind::Item && !item->children[1]))
        unexpected();
    expect("]");
    return item;
}

void ExpressionParser::parseArguments(Expression &call)
{
    const Nesting nesting(*this);
    expect("(");
    while (!takeIf(")")) {
        const bool isNamed = peek().kind == TemplateToken::Kind::Name && peek(1).kind == TemplateToken::Kind::Operator
            && peek(1).text == "=";
        if (isNamed) {
            std::string name = take().text;
            take(); // =
            call.named.emplace_back(std::move(name), parseExpression());
        } else {
            call.children.push_back(parseExpression());
        }
        if (!isNext(")"))
            expect(",");
    }
}

ExpressionPtr ExpressionParser::parsePrimary()
{
    const Nesting nesting(*this);
    const TemplateToken &token = peek();
    if (token.kind == TemplateToken::Kind::Integer) {
        ExpressionPtr result = make(Kind::Integer);
        result->integer = take().integer;
        return result;
    }
    if (token.kind == TemplateToken::Kind::String) {
        ExpressionPtr result = make(Kind::String);
        while (peek().kind == TemplateToken::Kind::String) // neighbours are one string
            result->text += take().text;
        return result;
    }
    if (token.kind == TemplateToken::Kind::Name)
        return parseName();
    if (isNext("["))
        return parseList();
    if (isNext("{"))
        return parseDict();
    if (takeIf("(")) {
        ExpressionPtr inner = parseExpression();
        expect(")"); // a comma would make a tuple
        return inner;
    }
    unexpected();
}

ExpressionPtr ExpressionParser::parseName()
{
    const std::string name = peek().text;
    for (const std::string_view keyword : {"and", "or", "in", "is", "if", "else", "not"}) {
        if (name == keyword)
            unexpected();
    }
    ExpressionPtr result = make(Kind::Name, name);
    take();
    if (name == "true" || name == "True" || name == "false" || name == "False") {
        result->kind = Kind::Boolean;
        result->integer = name == "true" || name == "True" ? 1 : 0;
    } else if (name == "none" || name == "None") {
        result->kind = Kind::None;
    } else if (isNext("(")) {
        result->kind = Kind::Call;
        parseArguments(*result);
    }
    return result;
}

ExpressionPtr ExpressionParser::parseList()
{
    ExpressionPtr list = make(Kind::List);
    expect("[");
    while (!takeIf("]")) {
        list->children.push_back(parseExpression());
        if (!isNext("]"))
            expect(",");
    }
    return list;
}

ExpressionPtr ExpressionParser::parseDict()
{
    ExpressionPtr dict = make(Kind::Dict);
    expect("{");
    while (!takeIf("}")) {
        dict->children.push_back(parseExpression());
        expect(":");
        dict->children.push_back(parseExpression());
        if (!isNext("}"))
            expect(",");
    }
    return dict;
}

} // namespace dice::formats
