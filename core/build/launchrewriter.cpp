#include "launchrewriter.h"

#include <algorithm>
#include <cctype>

namespace dice::build {

namespace {

// From the '>' that ends template arguments back to their '<'; tokens.size() when there is none.
std::size_t templateOpen(const std::vector<Token> &tokens, std::size_t close)
{
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        const Token &token = tokens[i];
        if (token.is(")") || token.is("]")) {
            i = openingBracket(tokens, i);
            if (i == tokens.size())
                return i;
        } else if (token.is(">")) {
            ++depth;
        } else if (token.is("<") && --depth == 0) {
            return i;
        } else if (token.is(";") || token.is("{") || token.is("}")) {
            return tokens.size();
        }
    }
    return tokens.size();
}

// The first token of the expression that names the kernel, given the one behind its last.
std::size_t kernelBegin(const std::vector<Token> &tokens, std::size_t end)
{
    std::size_t at = end;
    for (;;) {
        if (at == 0)
            return tokens.size();
        --at;
        if (tokens[at].is(">"))
            at = templateOpen(tokens, at);
        else if (tokens[at].is(")") || tokens[at].is("]"))
            at = openingBracket(tokens, at);
        if (at >= tokens.size())
            return at;
        const bool isPostfix = tokens[at].is("<") || tokens[at].is("[");
        if (isPostfix)
            continue;
        const bool isQualified = at >= 1 && tokens[at].isIdentifier() && (tokens[at - 1].is("::"));
        if (!isQualified)
            return at;
        --at; // the "::"
        const bool hasScope = at >= 1 && (tokens[at - 1].isIdentifier() || tokens[at - 1].is(">"));
        if (!hasScope)
            return at;
    }
}

std::size_t findConfigEnd(const std::vector<Token> &tokens, std::size_t open)
{
    for (std::size_t i = open + 1; i + 2 < tokens.size(); ++i) {
        const Token &token = tokens[i];
        if (token.is("(") || token.is("[") || token.is("{"))
            i = closingBracket(tokens, i);
        else if (token.is(";"))
            break;
        else if (token.is(">") && tokens[i + 1].is(">") && tokens[i + 2].is(">")
                 && tokens[i + 2].offset == token.offset + 2 && i + 3 < tokens.size() && tokens[i + 3].is("("))
            return i;
    }
    return tokens.size();
}

std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + "\"";
}

} // namespace

std::string textBetween(std::string_view text, const Token &first, const Token &last)
{
    std::string result;
    for (char c : text.substr(first.offset, last.end() - first.offset)) {
        const bool isBlank = std::isspace(static_cast<unsigned char>(c)) || c == '\\';
        if (!isBlank)
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    }
    return result;
}

std::vector<LaunchExpression> findLaunches(const std::vector<Token> &tokens)
{
    std::vector<LaunchExpression> result;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (!tokens[i].is("<<<"))
            continue;
        LaunchExpression launch;
        launch.open = i;
        launch.kernelBegin = kernelBegin(tokens, i);
        launch.configEnd = findConfigEnd(tokens, i);
        launch.argumentsOpen = launch.configEnd + 3;
        if (launch.kernelBegin >= tokens.size() || launch.configEnd >= tokens.size())
            continue;
        launch.argumentsClose = closingBracket(tokens, launch.argumentsOpen);
        if (launch.argumentsClose < tokens.size())
            result.push_back(launch);
    }
    return result;
}

int rewriteLaunches(std::string_view text, const std::vector<Token> &tokens, const std::string &sourceName,
                    int firstSite, Edits &edits)
{
    int site = firstSite;
    for (const LaunchExpression &launch : findLaunches(tokens)) {
        const Token &first = tokens[launch.kernelBegin], &open = tokens[launch.open];
        const std::string kernel = textBetween(text, first, tokens[launch.open - 1]);
        // Line breaks inside of the kernel's name are kept behind it; in a macro they need their backslash.
        const std::string_view original = text.substr(first.offset, open.offset - first.offset);
        std::string breaks;
        for (auto i = std::count(original.begin(), original.end(), '\n'); i > 0; --i)
            breaks += first.isInDirective ? "\\\n" : "\n";
        edits.replace(first.offset, open.end() - first.offset,
                      "::dice::launch<" + std::to_string(site++) + ">({" + quoted(kernel) + ", \"" + sourceName + "\", "
                          + std::to_string(open.line) + "}, ::dice::shape(" + breaks);
        const bool hasArguments = launch.argumentsClose > launch.argumentsOpen + 1;
        const Token &end = tokens[launch.configEnd], &parenthesis = tokens[launch.argumentsOpen];
        const std::string_view between = text.substr(end.offset, parenthesis.end() - end.offset);
        std::string moreBreaks;
        for (auto i = std::count(between.begin(), between.end(), '\n'); i > 0; --i)
            moreBreaks += end.isInDirective ? "\\\n" : "\n";
        edits.replace(end.offset, parenthesis.end() - end.offset,
                      "), [&](auto &&...dice_a) { " + kernel + "(dice_a...); }" + (hasArguments ? ", " : "")
                          + moreBreaks);
    }
    return site - firstSite;
}

} // namespace dice::build
