// Builds the statements of a template from its tags.
#include "templateexpressions.h"

#include <algorithm>
#include <initializer_list>

namespace dice::formats {

void failTemplate(ErrorCode code, const std::string &what, int line)
{
    const char *verb = code == ErrorCode::Unsupported ? " uses " : " has ";
    const char *next
        = code == ErrorCode::Unsupported ? ", which this program does not know" : "; check the model's folder";
    throw TemplateFailure{
        makeError(code, "the chat template" + std::string(verb) + what + " in line " + std::to_string(line) + next)};
}

namespace {

class StatementParser
{
public:
    explicit StatementParser(std::vector<TemplateSegment> segments)
        : m_segments(std::move(segments))
    {
    }

    std::vector<Statement> parseAll()
    {
        std::vector<Statement> body = parseBody();
        if (m_position < m_segments.size())
            failTemplate(ErrorCode::InvalidData, "\"" + wordOf(m_segments[m_position]) + "\" without its beginning",
                         m_segments[m_position].line);
        return body;
    }

private:
    static std::string wordOf(const TemplateSegment &segment) { return tokenizeTag(segment).front().text; }
    std::vector<Statement> parseBody(); // up to a tag that ends or continues a body
    Statement parseIf(ExpressionParser &tag, int line);
    Statement parseFor(ExpressionParser &tag, int line);
    Statement parseSet(ExpressionParser &tag, int line);
    std::string takeClosing(std::initializer_list<std::string_view> words, int openedInLine);

    std::vector<TemplateSegment> m_segments;
    std::size_t m_position = 0;
    int m_depth = 0;
    static constexpr int maxDepth = 100;
};

bool closesBody(const std::string &word)
{
    return word == "elif" || word == "else" || word.starts_with("end");
}

std::vector<Statement> StatementParser::parseBody()
{
    if (++m_depth > maxDepth)
        failTemplate(ErrorCode::Unsupported, "blocks nested that deeply", m_segments[m_position - 1].line);
    std::vector<Statement> body;
    for (; m_position < m_segments.size(); ++m_position) {
        const TemplateSegment &segment = m_segments[m_position];
        Statement statement{.kind = Statement::Kind::Text, .line = segment.line};
        if (segment.kind == TemplateSegment::Kind::Text) {
            statement.text = segment.text;
            body.push_back(std::move(statement));
            continue;
        }
        ExpressionParser tag(tokenizeTag(segment));
        if (segment.kind == TemplateSegment::Kind::Output) {
            statement.kind = Statement::Kind::Output;
            statement.expression = tag.parseExpression();
            tag.expectEnd();
            body.push_back(std::move(statement));
            continue;
        }
        const std::string word = tag.peek().text;
        if (closesBody(word))
            break;
        tag.take();
        if (word == "if") {
            body.push_back(parseIf(tag, segment.line));
        } else if (word == "for") {
            body.push_back(parseFor(tag, segment.line));
        } else if (word == "set") {
            body.push_back(parseSet(tag, segment.line));
        } else if (word == "break" || word == "continue") {
            statement.kind = word == "break" ? Statement::Kind::Break : Statement::Kind::Continue;
            tag.expectEnd();
            body.push_back(std::move(statement));
        } else {
            failTemplate(ErrorCode::Unsupported, "the statement \"" + word + "\"", segment.line);
        }
    }
    --m_depth;
    return body;
}

// The body before it ended at a closing tag: checks its word and moves onto it.
std::string StatementParser::takeClosing(std::initializer_list<std::string_view> words, int openedInLine)
{
    if (m_position >= m_segments.size())
        failTemplate(ErrorCode::InvalidData, "a block that is not closed", openedInLine);
    const std::string word = wordOf(m_segments[m_position]);
    if (std::find(words.begin(), words.end(), word) == words.end())
        failTemplate(ErrorCode::InvalidData, "an unexpected \"" + word + "\"", m_segments[m_position].line);
    return word;
}

// Leaves m_position at the closing tag, which the loop of parseBody steps over.
Statement StatementParser::parseIf(ExpressionParser &tag, int line)
{
    ++m_depth; // a long chain of elif nests too; the body checks
    Statement statement{.kind = Statement::Kind::If, .line = line};
    statement.expression = tag.parseExpression();
    tag.expectEnd();
    ++m_position;
    statement.body = parseBody();
    const std::string word = takeClosing({"elif", "else", "endif"}, line);
    if (word == "elif") {
        const TemplateSegment &segment = m_segments[m_position];
        ExpressionParser next(tokenizeTag(segment));
        next.take();
        statement.otherwise.push_back(parseIf(next, segment.line));
    } else if (word == "else") {
        ++m_position;
        statement.otherwise = parseBody();
        takeClosing({"endif"}, line);
    }
    --m_depth;
    return statement;
}

Statement StatementParser::parseFor(ExpressionParser &tag, int line)
{
    Statement statement{.kind = Statement::Kind::For, .line = line};
    do {
        statement.names.push_back(tag.expectName());
    } while (tag.takeIf(","));
    tag.expect("in");
    statement.expression = tag.parseWithoutCondition();
    if (tag.takeIf("if"))
        statement.condition = tag.parseExpression();
    tag.expectEnd();
    ++m_position;
    statement.body = parseBody();
    if (takeClosing({"else", "endfor"}, line) == "else") {
        ++m_position;
        statement.otherwise = parseBody();
        takeClosing({"endfor"}, line);
    }
    return statement;
}

Statement StatementParser::parseSet(ExpressionParser &tag, int line)
{
    Statement statement{.kind = Statement::Kind::Set, .line = line};
    statement.names.push_back(tag.expectName());
    if (tag.takeIf("."))
        statement.attribute = tag.expectName();
    if (tag.takeIf("=")) {
        statement.expression = tag.parseExpression();
        tag.expectEnd();
        return statement;
    }
    tag.expectEnd();
    ++m_position;
    statement.body = parseBody();
    takeClosing({"endset"}, line);
    return statement;
}

} // namespace

std::vector<Statement> parseTemplate(std::string_view source)
{
    return StatementParser(cutTemplate(source)).parseAll();
}

} // namespace dice::formats
