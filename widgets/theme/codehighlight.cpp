#include "widgets/theme/codehighlight.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace dice::widgets {

namespace {

// Sorted, for binary search.
constexpr std::array<std::string_view, 35> pythonKeywords
    = {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
       "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
       "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
       "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

constexpr std::array<std::string_view, 72> cudaKeywords = {"INFINITY",
                                                           "__constant__",
                                                           "__device__",
                                                           "__ffs",
                                                           "__forceinline__",
                                                           "__global__",
                                                           "__host__",
                                                           "__launch_bounds__",
                                                           "__ldg",
                                                           "__restrict__",
                                                           "__shared__",
                                                           "__shfl_down_sync",
                                                           "__shfl_sync",
                                                           "__shfl_xor_sync",
                                                           "__syncthreads",
                                                           "__syncwarp",
                                                           "auto",
                                                           "blockDim",
                                                           "blockIdx",
                                                           "bool",
                                                           "break",
                                                           "case",
                                                           "char",
                                                           "class",
                                                           "const",
                                                           "const_cast",
                                                           "constexpr",
                                                           "continue",
                                                           "default",
                                                           "dim3",
                                                           "do",
                                                           "double",
                                                           "else",
                                                           "enum",
                                                           "extern",
                                                           "false",
                                                           "float",
                                                           "float2",
                                                           "float4",
                                                           "for",
                                                           "gridDim",
                                                           "half",
                                                           "if",
                                                           "inline",
                                                           "int",
                                                           "int32_t",
                                                           "int64_t",
                                                           "long",
                                                           "namespace",
                                                           "nullptr",
                                                           "operator",
                                                           "reinterpret_cast",
                                                           "return",
                                                           "short",
                                                           "signed",
                                                           "size_t",
                                                           "sizeof",
                                                           "static",
                                                           "static_cast",
                                                           "struct",
                                                           "switch",
                                                           "template",
                                                           "threadIdx",
                                                           "true",
                                                           "typedef",
                                                           "typename",
                                                           "uint32_t",
                                                           "unsigned",
                                                           "using",
                                                           "void",
                                                           "volatile",
                                                           "while"};

bool isWordStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool isWordPart(char c)
{
    return isWordStart(c) || std::isdigit(static_cast<unsigned char>(c));
}

bool isIn(std::span<const std::string_view> sortedWords, std::string_view word)
{
    return std::binary_search(sortedWords.begin(), sortedWords.end(), word);
}

bool isCuda(CodeContext context)
{
    return context >= CodeContext::CudaDouble;
}

bool usesDoubleQuotes(CodeContext context)
{
    return context == CodeContext::DocstringDouble || context == CodeContext::CudaDouble
        || context == CodeContext::CudaCommentDouble;
}

// Walks one line; every consume function advances m_at and appends one run.
class LineHighlighter
{
public:
    LineHighlighter(std::string_view line, CodeContext context, std::vector<CodeRun> &runs)
        : m_line(line)
        , m_context(context)
        , m_runs(runs)
    {
    }

    CodeContext run()
    {
        while (m_at < m_line.size()) {
            if (m_context == CodeContext::Python)
                python();
            else if (isCuda(m_context))
                cuda();
            else
                docstring();
        }
        return m_context;
    }

private:
    std::string_view rest() const { return m_line.substr(m_at); }
    std::string_view closingQuotes() const { return usesDoubleQuotes(m_context) ? "\"\"\"" : "'''"; }

    void take(std::size_t length, CodeStyle style)
    {
        if (length == 0)
            return;
        if (!m_runs.empty() && m_runs.back().style == style)
            m_runs.back().length += static_cast<int>(length);
        else
            m_runs.push_back({static_cast<int>(m_at), static_cast<int>(length), style});
        m_at += length;
    }

    std::size_t wordLength() const
    {
        const std::string_view text = rest();
        return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isWordPart) - text.begin());
    }

    std::size_t numberLength() const
    {
        const std::string_view text = rest();
        std::size_t length = 0;
        while (length < text.size()) {
            const bool isExponentSign = (text[length] == '+' || text[length] == '-') && length > 0
                && (text[length - 1] == 'e' || text[length - 1] == 'E') && !text.starts_with("0x");
            if (!isWordPart(text[length]) && text[length] != '.' && !isExponentSign)
                break;
            ++length;
        }
        return length;
    }

    bool startsNumber() const
    {
        const std::string_view text = rest();
        const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
        return isDigit(text[0]) || (text[0] == '.' && text.size() > 1 && isDigit(text[1]));
    }

    // Length of a one-line string that starts at its quote.
    std::size_t quotedLength() const
    {
        const std::string_view text = rest();
        for (std::size_t i = 1; i < text.size(); ++i) {
            if (text[i] == '\\')
                ++i;
            else if (text[i] == text[0])
                return i + 1;
        }
        return text.size();
    }

    void python()
    {
        const char c = rest()[0];
        if (c == '#') {
            take(rest().size(), CodeStyle::Comment);
        } else if (rest().starts_with("\"\"\"") || rest().starts_with("'''")) {
            openTripleQuotes();
        } else if (c == '"' || c == '\'') {
            take(quotedLength(), CodeStyle::String);
        } else if (startsNumber()) {
            take(numberLength(), CodeStyle::Number);
        } else if (isWordStart(c)) {
            pythonWord();
        } else {
            take(1, CodeStyle::Text);
        }
    }

    void pythonWord()
    {
        const std::string_view word = rest().substr(0, wordLength());
        if (isIn(pythonKeywords, word)) {
            m_isDefinitionNext = word == "def" || word == "class";
            take(word.size(), CodeStyle::Keyword);
            return;
        }
        const bool isPrefix = word.size() <= 2 && rest().size() > word.size()
            && (rest()[word.size()] == '"' || rest()[word.size()] == '\'')
            && word.find_first_not_of("rRbBfFuU") == std::string_view::npos;
        take(word.size(), isPrefix ? CodeStyle::String : m_isDefinitionNext ? CodeStyle::Definition : CodeStyle::Text);
        m_isDefinitionNext = false;
    }

    // A string that is the first thing of its line is prose; one that is assigned or passed is source code.
    void openTripleQuotes()
    {
        const bool isDouble = rest()[0] == '"';
        const std::string_view before = m_line.substr(0, m_at);
        const bool isValue = before.find_first_of("=(,") != std::string_view::npos;
        if (isValue)
            m_context = isDouble ? CodeContext::CudaDouble : CodeContext::CudaSingle;
        else
            m_context = isDouble ? CodeContext::DocstringDouble : CodeContext::DocstringSingle;
        take(3, CodeStyle::String);
    }

    void docstring()
    {
        const std::size_t end = rest().find(closingQuotes());
        if (end == std::string_view::npos) {
            take(rest().size(), CodeStyle::String);
            return;
        }
        take(end + 3, CodeStyle::String);
        m_context = CodeContext::Python;
    }

    void closeCuda()
    {
        take(3, CodeStyle::String);
        m_context = CodeContext::Python;
    }

    void cudaComment()
    {
        const std::size_t comment = rest().find("*/");
        const std::size_t quotes = rest().find(closingQuotes());
        if (quotes < comment) { // the string ends first, whatever C++ thinks
            take(quotes, CodeStyle::Comment);
            closeCuda();
            return;
        }
        const bool isClosed = comment != std::string_view::npos;
        take(isClosed ? comment + 2 : rest().size(), CodeStyle::Comment);
        if (isClosed)
            m_context = usesDoubleQuotes(m_context) ? CodeContext::CudaDouble : CodeContext::CudaSingle;
    }

    void cuda()
    {
        if (m_context == CodeContext::CudaCommentDouble || m_context == CodeContext::CudaCommentSingle)
            return cudaComment();
        const char c = rest()[0];
        if (rest().starts_with(closingQuotes())) {
            closeCuda();
        } else if (rest().starts_with("/*")) {
            m_context = usesDoubleQuotes(m_context) ? CodeContext::CudaCommentDouble : CodeContext::CudaCommentSingle;
            take(2, CodeStyle::Comment);
        } else if (rest().starts_with("//")) {
            take(std::min(rest().find(closingQuotes()), rest().size()), CodeStyle::Comment);
        } else if (c == '#') {
            take(1 + std::min(rest().substr(1).find_first_of(" \t<\""), rest().size() - 1), CodeStyle::Preprocessor);
        } else if (c == '"' || c == '\'') {
            take(quotedLength(), CodeStyle::String);
        } else if (startsNumber()) {
            take(numberLength(), CodeStyle::Number);
        } else if (isWordStart(c)) {
            const std::string_view word = rest().substr(0, wordLength());
            take(word.size(), isIn(cudaKeywords, word) ? CodeStyle::Keyword : CodeStyle::Text);
        } else {
            take(1, CodeStyle::Text);
        }
    }

    std::string_view m_line;
    CodeContext m_context;
    std::vector<CodeRun> &m_runs;
    std::size_t m_at = 0;
    bool m_isDefinitionNext = false;
};

} // namespace

CodeContext highlightLine(std::string_view line, CodeContext context, std::vector<CodeRun> &runs)
{
    runs.clear();
    return LineHighlighter(line, context, runs).run();
}

QColor codeColor(const Theme &theme, CodeStyle style)
{
    switch (style) {
    case CodeStyle::Text:
        return theme.text;
    case CodeStyle::Keyword:
    case CodeStyle::Preprocessor:
        return theme.keyword;
    case CodeStyle::Definition:
        return theme.definition;
    case CodeStyle::String:
        return theme.string;
    case CodeStyle::Number:
        return theme.number;
    case CodeStyle::Comment:
        return theme.comment;
    }
    return theme.text;
}

} // namespace dice::widgets
