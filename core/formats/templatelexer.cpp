// Cuts a template at its tags, with the white space rules Hugging Face renders with: trim_blocks and lstrip_blocks on,
// "-" strips to the next text, "+" switches the automatic rule off, one final newline of the source is dropped.
#include "templatesyntax.h"

#include <algorithm>
#include <array>

namespace dice::formats {

namespace {

constexpr std::string_view spaces = " \t\n\r\v\f";

class Cutter
{
public:
    explicit Cutter(std::string_view source)
        : m_source(source)
    {
        if (m_source.ends_with('\n'))
            m_source.remove_suffix(1);
    }

    std::vector<TemplateSegment> cut();

private:
    void addText(std::string_view text);
    void readTag();
    std::size_t findTagEnd(std::size_t from, std::string_view closing) const;
    char takeMarker(std::string_view &content, bool isFront) const;
    void stripBefore(char marker, bool isOutput);
    void stripAfter(char marker, bool isOutput);

    std::string_view m_source;
    std::size_t m_position = 0;
    int m_line = 1;
    bool m_startsLine = true; // the tag before ended with a line break (or the template begins)
    bool m_hasTextBefore = false; // between the tag before and this one
    std::vector<TemplateSegment> m_segments;
};

std::vector<TemplateSegment> Cutter::cut()
{
    while (m_position < m_source.size()) {
        std::size_t tag = m_position;
        while (true) {
            tag = m_source.find('{', tag);
            if (tag == std::string_view::npos || tag + 1 >= m_source.size()
                || std::string_view("{%#").find(m_source[tag + 1]) != std::string_view::npos)
                break;
            ++tag;
        }
        const std::size_t end = tag == std::string_view::npos || tag + 1 >= m_source.size() ? m_source.size() : tag;
        addText(m_source.substr(m_position, end - m_position));
        m_position = end;
        if (m_position < m_source.size())
            readTag();
    }
    return std::move(m_segments);
}

void Cutter::addText(std::string_view text)
{
    m_hasTextBefore = !text.empty();
    if (m_hasTextBefore)
        m_segments.push_back({TemplateSegment::Kind::Text, m_line, std::string(text)});
    m_line += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void Cutter::readTag()
{
    const char type = m_source[m_position + 1];
    const bool isOutput = type == '{';
    const bool isComment = type == '#';
    const std::string_view closing = isOutput ? "}}" : isComment ? "#}" : "%}";
    const std::size_t contentBegin = m_position + 2;
    const std::size_t end = isComment ? m_source.find(closing, contentBegin) : findTagEnd(contentBegin, closing);
    if (end == std::string_view::npos)
        failTemplate(ErrorCode::InvalidData, "a tag that is not closed", m_line);
    std::string_view content = m_source.substr(contentBegin, end - contentBegin);
    const int line = m_line;
    m_line += static_cast<int>(std::count(content.begin(), content.end(), '\n'));
    m_position = end + 2;
    stripBefore(takeMarker(content, true), isOutput);
    const char after = takeMarker(content, false);
    if (!isComment) {
        m_segments.push_back(
            {isOutput ? TemplateSegment::Kind::Output : TemplateSegment::Kind::Statement, line, std::string(content)});
    }
    stripAfter(after, isOutput);
}

// The closing delimiter, not counting one inside a string.
std::size_t Cutter::findTagEnd(std::size_t from, std::string_view closing) const
{
    char quote = '\0';
    int braces = 0;
    for (std::size_t i = from; i + 1 < m_source.size(); ++i) {
        const char c = m_source[i];
        if (quote != '\0') {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = '\0';
            continue;
        }
        if (c == '\'' || c == '"') {
            quote = c;
            continue;
        }
        if (braces == 0 && m_source.substr(i, 2) == closing)
            return i;
        if (c == '{')
            ++braces;
        else if (c == '}')
            --braces;
    }
    return std::string_view::npos;
}

char Cutter::takeMarker(std::string_view &content, bool isFront) const
{
    if (content.empty())
        return ' ';
    const char marker = isFront ? content.front() : content.back();
    if (marker != '-' && marker != '+')
        return ' ';
    if (isFront)
        content.remove_prefix(1);
    else
        content.remove_suffix(1);
    return marker;
}

void Cutter::stripBefore(char marker, bool isOutput)
{
    if (!m_hasTextBefore)
        return;
    std::string &text = m_segments.back().text;
    if (marker == '-') {
        text.erase(text.find_last_not_of(spaces) + 1);
    } else if (marker != '+' && !isOutput) {
        const std::size_t lineStart = text.rfind('\n') + 1; // 0 when there is none
        const bool isOnlySpace = text.find_first_not_of(" \t\r\v\f", lineStart) == std::string::npos;
        if (isOnlySpace && (lineStart > 0 || m_startsLine))
            text.erase(lineStart);
    }
}

void Cutter::stripAfter(char marker, bool isOutput)
{
    const std::size_t begin = m_position;
    if (marker == '-') {
        while (m_position < m_source.size() && spaces.find(m_source[m_position]) != std::string_view::npos)
            m_line += m_source[m_position++] == '\n' ? 1 : 0;
    } else if (marker != '+' && !isOutput && m_position < m_source.size() && m_source[m_position] == '\n') {
        ++m_position;
        ++m_line;
    }
    m_startsLine = m_position > begin && m_source[m_position - 1] == '\n';
}

class TagTokenizer
{
public:
    explicit TagTokenizer(const TemplateSegment &segment)
        : m_text(segment.text)
        , m_line(segment.line)
    {
    }

    std::vector<TemplateToken> tokenize();

private:
    void readString(char quote);
    void readNumber();
    void readName();
    void readOperator();
    void add(TemplateToken::Kind kind, std::string text) { m_tokens.push_back({kind, std::move(text), 0, m_line}); }

    std::string_view m_text;
    std::size_t m_position = 0;
    int m_line;
    std::vector<TemplateToken> m_tokens;
};

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::vector<TemplateToken> TagTokenizer::tokenize()
{
    while (m_position < m_text.size()) {
        const char c = m_text[m_position];
        if (spaces.find(c) != std::string_view::npos) {
            m_line += c == '\n' ? 1 : 0;
            ++m_position;
        } else if (c == '\'' || c == '"') {
            readString(c);
        } else if (isDigit(c)) {
            readNumber();
        } else if (isNameStart(c)) {
            readName();
        } else {
            readOperator();
        }
    }
    add(TemplateToken::Kind::End, "the end of the tag");
    return std::move(m_tokens);
}

void TagTokenizer::readString(char quote)
{
    std::string value;
    for (++m_position; m_position < m_text.size() && m_text[m_position] != quote; ++m_position) {
        char c = m_text[m_position];
        m_line += c == '\n' ? 1 : 0;
        if (c == '\\' && m_position + 1 < m_text.size()) {
            c = m_text[++m_position];
            constexpr std::string_view names = "ntr\\'\"";
            constexpr std::string_view values = "\n\t\r\\'\"";
            const std::size_t known = names.find(c);
            if (known == std::string_view::npos)
                failTemplate(ErrorCode::Unsupported, std::string("the escape \\") + c + " in a string", m_line);
            c = values[known];
        }
        value.push_back(c);
    }
    if (m_position >= m_text.size())
        failTemplate(ErrorCode::InvalidData, "a string that is not closed", m_line);
    ++m_position;
    add(TemplateToken::Kind::String, std::move(value));
}

void TagTokenizer::readNumber()
{
    std::int64_t value = 0;
    const std::size_t begin = m_position;
    for (; m_position < m_text.size() && isDigit(m_text[m_position]); ++m_position) {
        if (m_position - begin > 15)
            failTemplate(ErrorCode::Unsupported, "a number of that length", m_line);
        value = value * 10 + (m_text[m_position] - '0');
    }
    if (m_position + 1 < m_text.size() && m_text[m_position] == '.' && isDigit(m_text[m_position + 1]))
        failTemplate(ErrorCode::Unsupported, "a number with a fraction", m_line);
    add(TemplateToken::Kind::Integer, std::string(m_text.substr(begin, m_position - begin)));
    m_tokens.back().integer = value;
}

void TagTokenizer::readName()
{
    const std::size_t begin = m_position;
    while (m_position < m_text.size() && (isNameStart(m_text[m_position]) || isDigit(m_text[m_position])))
        ++m_position;
    add(TemplateToken::Kind::Name, std::string(m_text.substr(begin, m_position - begin)));
}

void TagTokenizer::readOperator()
{
    constexpr std::array<std::string_view, 6> doubles{"==", "!=", "<=", ">=", "//", "**"};
    const std::string_view two = m_text.substr(m_position, 2);
    const bool isDouble = std::find(doubles.begin(), doubles.end(), two) != doubles.end();
    constexpr std::string_view singles = "+-*/%~<>=|.,:()[]{}";
    if (!isDouble && singles.find(two.front()) == std::string_view::npos)
        failTemplate(ErrorCode::Unsupported, "the character " + std::string(1, two.front()), m_line);
    const std::string_view text = isDouble ? two : two.substr(0, 1);
    m_position += text.size();
    add(TemplateToken::Kind::Operator, std::string(text));
}

} // namespace

std::vector<TemplateSegment> cutTemplate(std::string_view source)
{
    return Cutter(source).cut();
}

std::vector<TemplateToken> tokenizeTag(const TemplateSegment &segment)
{
    return TagTokenizer(segment).tokenize();
}

} // namespace dice::formats
