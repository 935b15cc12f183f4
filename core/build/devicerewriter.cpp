#include "devicerewriter.h"

#include "launchrewriter.h"
#include "tokens.h"

#include <algorithm>
#include <array>

namespace dice::build {

namespace {

using Tokens = std::vector<Token>;

bool isOneOf(const Token &token, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), token.text) != words.end();
}

bool isSpecifier(const Token &token)
{
    return isOneOf(token,
                   {"extern", "static", "volatile", "const", "__shared__", "__device__", "__constant__", "__managed__",
                    "inline", "constexpr"});
}

bool isPlainType(const Token &token)
{
    return isOneOf(token,
                   {"float", "double", "int", "unsigned", "char", "short", "long", "bool", "half", "__half", "T",
                    "scalar_t", "float2", "float4", "int2", "int4", "uint8_t", "uint32_t", "int32_t"});
}

// The first token of the declaration that holds the token at.
std::size_t declarationBegin(const Tokens &tokens, std::size_t at)
{
    while (at > 0) {
        if (isSpecifier(tokens[at - 1])) {
            --at;
        } else if (tokens[at - 1].is(")")) { // __align__(16) or alignas(16) before __shared__
            const std::size_t open = openingBracket(tokens, at - 1);
            if (open == 0 || open >= tokens.size() || !isOneOf(tokens[open - 1], {"__align__", "alignas"}))
                return at;
            at = open - 1;
        } else if (isPlainType(tokens[at - 1])) {
            --at; // "float __shared__ x[4]"
        } else {
            return at;
        }
    }
    return at;
}

std::size_t declarationEnd(const Tokens &tokens, std::size_t at)
{
    for (; at < tokens.size() && !tokens[at].is(";"); ++at) {
        if (isOneOf(tokens[at], {"(", "[", "{"}))
            at = closingBracket(tokens, at);
    }
    return at;
}

// The names that a declaration declares: before a '[', a ',' or the end, outside of brackets of every kind.
std::vector<std::size_t> declaredNames(const Tokens &tokens, std::size_t begin, std::size_t end)
{
    std::vector<std::size_t> names;
    std::size_t last = tokens.size();
    bool isNamed = false;
    int angle = 0;
    for (std::size_t i = begin; i <= end && i < tokens.size(); ++i) {
        const Token &token = tokens[i];
        const bool isEnd = i == end || (token.is(",") && angle == 0);
        if ((isEnd || (token.is("[") && angle == 0)) && !isNamed && last < tokens.size()) {
            names.push_back(last);
            isNamed = true;
        }
        if (isEnd) {
            isNamed = false;
            last = tokens.size();
        } else if (isOneOf(token, {"(", "[", "{"})) {
            i = closingBracket(tokens, i);
        } else if (token.is("<")) {
            ++angle;
        } else if (token.is(">")) {
            --angle;
        } else if (angle == 0 && token.isIdentifier()) {
            last = i;
        }
    }
    return names;
}

class CpuRewriter
{
public:
    CpuRewriter(const SourceText &source, int sourceIndex)
        : m_source(source)
        , m_sourceIndex(sourceIndex)
        , m_tokens(tokenize(source.text))
    {
    }

    RewrittenSource run(int firstSite)
    {
        const int launches = rewriteLaunches(m_source.text, m_tokens, m_source.name, firstSite, m_edits);
        std::vector<bool> scopes; // a brace each: whether it is a namespace
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            const Token &token = m_tokens[i];
            if (token.is("{"))
                scopes.push_back(isNamespaceBrace(i));
            else if (token.is("}") && !scopes.empty())
                scopes.pop_back();
            else if (token.is("__shared__"))
                rewriteShared(i, std::find(scopes.begin(), scopes.end(), false) == scopes.end());
            else if (token.is("__constant__") || token.is("__device__"))
                exposeVariable(i);
            else if (token.is("namespace") && i + 1 < m_tokens.size() && m_tokens[i + 1].is("{"))
                m_edits.replace(token.offset, token.length,
                                "inline namespace dice_unnamed_" + std::to_string(m_sourceIndex));
        }
        return {m_edits.apply(m_source.text), launches};
    }

private:
    bool isNamespaceBrace(std::size_t brace) const
    {
        for (std::size_t i = brace; i-- > 0;) {
            const Token &token = m_tokens[i];
            if (token.is("namespace"))
                return true;
            if (token.kind == TokenKind::String)
                return i > 0 && m_tokens[i - 1].is("extern");
            if (!token.isIdentifier() && !token.is("::"))
                return false;
        }
        return false;
    }

    void blank(const Token &token) { m_edits.replace(token.offset, token.length, ""); }

    // __shared__ float a[4], b;  ->  typedef float dice_shared_a[4], dice_shared_b; and a reference for each.
    void rewriteShared(std::size_t word, bool isGlobal)
    {
        const std::size_t begin = declarationBegin(m_tokens, word);
        const std::size_t end = declarationEnd(m_tokens, word);
        if (end >= m_tokens.size() || m_tokens[word].isInDirective)
            return;
        bool isDynamic = false;
        std::string references;
        std::vector<std::size_t> kept;
        for (std::size_t i = begin; i < end; ++i) {
            const Token &token = m_tokens[i];
            isDynamic = isDynamic || token.is("extern");
            if (isOneOf(token, {"extern", "static", "__shared__", "__device__"})) {
                blank(token);
            } else if (isOneOf(token, {"__align__", "alignas"}) && i + 1 < end) {
                const std::size_t close = closingBracket(m_tokens, i + 1);
                m_edits.replace(token.offset, m_tokens[close].end() - token.offset, "");
                i = close;
            }
        }
        for (std::size_t name : declaredNames(m_tokens, begin, end)) {
            const std::string text(m_tokens[name].text);
            m_edits.replace(m_tokens[name].offset, m_tokens[name].length, "dice_shared_" + text);
            references += isDynamic ? dynamicReference(text, isGlobal) : staticReference(text, m_tokens[name].line);
        }
        m_edits.insert(m_tokens[begin].offset, "typedef ");
        m_edits.insert(m_tokens[end].end(), references);
    }

    std::string staticReference(const std::string &name, int line) const
    {
        const std::string type = "dice_shared_" + name;
        return " static const unsigned long dice_at_" + name + " = dice_api->reserveShared(sizeof(" + type
            + "), alignof(" + type + "), \"" + name + "\", \"" + m_source.name + "\", " + std::to_string(line) + "); "
            + type + " &" + name + " = ::dice::sharedAt<" + type + ">(dice_at_" + name + ");";
    }

    // Its address is fixed for a processor thread, so a reference of each thread serves at namespace scope.
    static std::string dynamicReference(const std::string &name, bool isGlobal)
    {
        const std::string type = "dice_shared_" + name;
        return std::string(isGlobal ? " static thread_local " : " ") + type + " &" + name + " = *reinterpret_cast<"
            + type + " *>(::dice::dynamicShared());";
    }

    // Variables of the device are shared by the fast and the checked copy of an artefact: they need external linkage.
    void exposeVariable(std::size_t word)
    {
        const std::size_t begin = declarationBegin(m_tokens, word);
        int angle = 0;
        for (std::size_t i = word; i < m_tokens.size(); ++i) {
            const Token &token = m_tokens[i];
            if (isOneOf(token, {"__align__", "alignas", "__launch_bounds__"})) {
                i = closingBracket(m_tokens, i + 1);
                continue;
            }
            angle += token.is("<") ? 1 : token.is(">") ? -1 : 0;
            if (angle == 0 && token.is("("))
                return; // a function
            if (angle == 0 && isOneOf(token, {";", "=", "[", "{"}))
                break;
        }
        for (std::size_t i = begin; i < m_tokens.size() && isSpecifier(m_tokens[i]); ++i) {
            if (m_tokens[i].is("static"))
                blank(m_tokens[i]);
        }
    }

    const SourceText &m_source;
    int m_sourceIndex;
    Tokens m_tokens;
    Edits m_edits;
};

} // namespace

RewrittenSource rewriteForCpu(const SourceText &source, int sourceIndex, int firstSite)
{
    return CpuRewriter(source, sourceIndex).run(firstSite);
}

} // namespace dice::build
