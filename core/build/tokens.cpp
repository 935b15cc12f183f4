#include "tokens.h"

#include <algorithm>
#include <cctype>

namespace dice::build {

namespace {

bool isWordStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}

bool isWordPart(char c)
{
    return isWordStart(c) || std::isdigit(static_cast<unsigned char>(c));
}

class Scanner
{
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
    }

    std::vector<Token> run()
    {
        while (m_at < m_text.size())
            step();
        return std::move(m_tokens);
    }

private:
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    bool startsWith(std::string_view what) const { return m_text.substr(m_at, what.size()) == what; }

    void step()
    {
        const char c = peek();
        if (c == '\n') {
            m_isInDirective = m_isInDirective && m_at > 0 && m_text[m_at - 1] == '\\';
            m_isLineStart = true;
            advance(1);
        } else if (std::isspace(static_cast<unsigned char>(c)) || c == '\\') {
            advance(1);
        } else if (startsWith("//")) {
            skipLineComment();
        } else if (startsWith("/*")) {
            const std::size_t end = m_text.find("*/", m_at + 2);
            advance(end == std::string_view::npos ? m_text.size() - m_at : end + 2 - m_at);
        } else if (c == '#' && m_isLineStart) {
            startDirective();
        } else {
            m_isLineStart = false;
            scanToken(c);
        }
    }

    void scanToken(char c)
    {
        if (c == '"' || rawPrefixLength() != 0) {
            scanString();
        } else if (c == '\'') {
            add(TokenKind::String, quotedLength('\''));
        } else if (isWordStart(c)) {
            std::size_t length = 1;
            while (isWordPart(peek(length)))
                ++length;
            add(TokenKind::Identifier, length);
        } else if (std::isdigit(static_cast<unsigned char>(c))
                   || (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
            add(TokenKind::Number, numberLength());
        } else if (startsWith("<<<")) {
            add(TokenKind::Punctuation, 3);
        } else {
            add(TokenKind::Punctuation, startsWith("::") || startsWith("->") ? 2 : 1);
        }
    }

    // R"x( and its prefixed forms: the length up to the quote, or 0.
    std::size_t rawPrefixLength() const
    {
        for (std::string_view prefix : {"R\"", "u8R\"", "LR\"", "uR\"", "UR\""}) {
            if (startsWith(prefix))
                return prefix.size();
        }
        return 0;
    }

    void scanString()
    {
        const std::size_t raw = rawPrefixLength();
        if (raw == 0) {
            add(TokenKind::String, quotedLength('"'));
            return;
        }
        const std::size_t open = m_text.find('(', m_at + raw);
        if (open == std::string_view::npos) {
            add(TokenKind::String, m_text.size() - m_at);
            return;
        }
        const std::string close = ")" + std::string(m_text.substr(m_at + raw, open - m_at - raw)) + "\"";
        const std::size_t end = m_text.find(close, open);
        add(TokenKind::String, end == std::string_view::npos ? m_text.size() - m_at : end + close.size() - m_at);
    }

    // A quote that is not closed ends with its line: the compiler will say so.
    std::size_t quotedLength(char quote) const
    {
        std::size_t length = 1;
        while (m_at + length < m_text.size() && peek(length) != quote && peek(length) != '\n')
            length += peek(length) == '\\' ? 2 : 1;
        return std::min(length + (peek(length) == quote ? 1 : 0), m_text.size() - m_at);
    }

    std::size_t numberLength() const
    {
        std::size_t length = 1;
        while (isWordPart(peek(length)) || peek(length) == '.' || isDigitSeparator(length) || isExponentSign(length))
            ++length;
        return length;
    }
    bool isDigitSeparator(std::size_t length) const { return peek(length) == '\'' && isWordPart(peek(length + 1)); }
    bool isExponentSign(std::size_t length) const
    {
        const char before = char(std::tolower(static_cast<unsigned char>(peek(length - 1))));
        const bool isHex = peek(1) == 'x' || peek(1) == 'X';
        return (peek(length) == '+' || peek(length) == '-') && (isHex ? before == 'p' : before == 'e');
    }

    void skipLineComment()
    {
        while (m_at < m_text.size() && peek() != '\n')
            advance(peek() == '\\' && peek(1) == '\n' ? 2 : 1);
    }

    void startDirective()
    {
        advance(1);
        while (peek() == ' ' || peek() == '\t')
            advance(1);
        m_isLineStart = false;
        if (startsWith("define")) {
            advance(6);
            m_isInDirective = true;
            return;
        }
        while (m_at < m_text.size() && peek() != '\n' && !startsWith("//") && !startsWith("/*"))
            advance(peek() == '\\' && peek(1) == '\n' ? 2 : 1);
    }

    void add(TokenKind kind, std::size_t length)
    {
        m_tokens.push_back({kind, m_at, length, m_line, m_isInDirective, m_text.substr(m_at, length)});
        advance(length);
    }

    void advance(std::size_t count)
    {
        for (std::size_t i = 0; i < count && m_at < m_text.size(); ++i)
            m_line += m_text[m_at++] == '\n';
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    bool m_isLineStart = true;
    bool m_isInDirective = false;
    std::vector<Token> m_tokens;
};

int bracketStep(const Token &token)
{
    if (token.kind != TokenKind::Punctuation || token.length != 1)
        return 0;
    switch (token.text[0]) {
    case '(':
    case '[':
    case '{':
        return 1;
    case ')':
    case ']':
    case '}':
        return -1;
    default:
        return 0;
    }
}

} // namespace

std::vector<Token> tokenize(std::string_view text)
{
    return Scanner(text).run();
}

std::size_t closingBracket(const std::vector<Token> &tokens, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += bracketStep(tokens[i]);
        if (depth == 0)
            return i;
    }
    return tokens.size();
}

std::size_t openingBracket(const std::vector<Token> &tokens, std::size_t close)
{
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        depth -= bracketStep(tokens[i]);
        if (depth == 0)
            return i;
    }
    return tokens.size();
}

void Edits::replace(std::size_t offset, std::size_t length, std::string with)
{
    m_edits.push_back({offset, length, std::move(with)});
}

std::string Edits::apply(std::string_view text) const
{
    std::vector<Edit> edits = m_edits;
    std::stable_sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) {
        // What is inserted at a place comes before what replaces the text there.
        return a.offset != b.offset ? a.offset < b.offset : a.length == 0 && b.length != 0;
    });
    std::string result;
    std::size_t at = 0;
    for (const Edit &edit : edits) {
        if (edit.offset < at)
            continue; // inside of what an earlier edit replaced
        result.append(text.substr(at, edit.offset - at)).append(edit.with);
        at = edit.offset + edit.length;
    }
    return result.append(text.substr(at));
}

} // namespace dice::build
