// Parses the expression inside a tag, with Jinja's precedence of operators. Internal to core/formats.
#pragma once

#include "templatesyntax.h"

#include <algorithm>
#include <initializer_list>

namespace dice::formats {

class ExpressionParser
{
public:
    explicit ExpressionParser(std::vector<TemplateToken> tokens)
        : m_tokens(std::move(tokens))
    {
    }

    ExpressionPtr parseExpression();
    ExpressionPtr parseWithoutCondition() { return parseOr(); }

    const TemplateToken &peek(std::size_t ahead = 0) const
    {
        return m_tokens[std::min(m_position + ahead, m_tokens.size() - 1)];
    }
    TemplateToken take() { return m_tokens[std::min(m_position++, m_tokens.size() - 1)]; }
    bool isNext(std::string_view text) const
    {
        return peek().kind != TemplateToken::Kind::String && peek().kind != TemplateToken::Kind::End
            && peek().text == text;
    }
    bool takeIf(std::string_view text)
    {
        const bool matches = isNext(text);
        m_position += matches ? 1 : 0;
        return matches;
    }
    void expect(std::string_view text)
    {
        if (!takeIf(text))
            unexpected();
    }
    std::string expectName()
    {
        if (peek().kind != TemplateToken::Kind::Name)
            unexpected();
        return take().text;
    }
    void expectEnd()
    {
        if (peek().kind != TemplateToken::Kind::End)
            unexpected();
    }
    [[noreturn]] void unexpected() const
    {
        failTemplate(ErrorCode::Unsupported, "\"" + peek().text + "\"", peek().line);
    }

private:
    ExpressionPtr parseOr();
    ExpressionPtr parseAnd();
    ExpressionPtr parseNot();
    ExpressionPtr parseComparison();
    ExpressionPtr parseSum();
    ExpressionPtr parseConcatenation();
    ExpressionPtr parseProduct();
    ExpressionPtr parseUnary();
    ExpressionPtr parseFiltered();
    ExpressionPtr parsePostfix();
    ExpressionPtr parsePrimary();
    ExpressionPtr parseName();
    ExpressionPtr parseList();
    ExpressionPtr parseDict();
    ExpressionPtr parseSubscript(ExpressionPtr object);
    ExpressionPtr parseTest(ExpressionPtr subject);
    void parseArguments(Expression &call);

    ExpressionPtr make(Expression::Kind kind, std::string text = {}) const
    {
        auto result = std::make_unique<Expression>();
        result->kind = kind;
        result->line = peek().line;
        result->text = std::move(text);
        return result;
    }
    using Step = ExpressionPtr (ExpressionParser::*)();
    ExpressionPtr parseBinary(std::initializer_list<std::string_view> operators, Step operand);

    // Deep nesting would overflow the stack of the parser and of the interpreter.
    struct Nesting
    {
        explicit Nesting(ExpressionParser &parser)
            : m_parser(parser)
        {
            constexpr int maxDepth = 100;
            if (++m_parser.m_depth > maxDepth)
                failTemplate(ErrorCode::Unsupported, "an expression nested that deeply", m_parser.peek().line);
        }
        ~Nesting() { --m_parser.m_depth; }
        ExpressionParser &m_parser;
    };

    std::vector<TemplateToken> m_tokens;
    std::size_t m_position = 0;
    int m_depth = 0;
};

} // namespace dice::formats
