#include "splitpattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <spdlog/spdlog.h>

#include <utility>

namespace dice::formats {

namespace {

// PCRE2 counts U+180E as white space, the reference engine (and Unicode since 6.3) does not: \s is spelled out.
constexpr std::string_view whiteSpace
    = R"(\x09-\x0d\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";

std::string withPlainWhiteSpace(std::string_view pattern)
{
    std::string rewritten;
    bool isInClass = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '\\' && i + 1 < pattern.size()) {
            const char escaped = pattern[++i];
            if (escaped == 's')
                rewritten.append(isInClass ? std::string(whiteSpace) : "[" + std::string(whiteSpace) + "]");
            else if (escaped == 'S' && !isInClass)
                rewritten.append("[^" + std::string(whiteSpace) + "]");
            else
                rewritten.append({'\\', escaped});
            continue;
        }
        if (c == '[')
            isInClass = true;
        else if (c == ']')
            isInClass = false;
        rewritten.push_back(c);
    }
    return rewritten;
}

struct MatchDataDeleter
{
    void operator()(pcre2_match_data *data) const { pcre2_match_data_free(data); }
};

} // namespace

struct SplitPattern::Code
{
    explicit Code(pcre2_code *compiled)
        : code(compiled)
    {
    }
    ~Code() { pcre2_code_free(code); }
    Code(const Code &) = delete;
    Code &operator=(const Code &) = delete;

    pcre2_code *code;
};

Result<SplitPattern> SplitPattern::compile(const std::string &pattern)
{
    const std::string rewritten = withPlainWhiteSpace(pattern);
    int errorNumber = 0;
    PCRE2_SIZE errorOffset = 0;
    pcre2_code *code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(rewritten.data()), rewritten.size(),
                                     PCRE2_UTF | PCRE2_UCP, &errorNumber, &errorOffset, nullptr);
    if (!code) {
        PCRE2_UCHAR text[256] = {};
        pcre2_get_error_message(errorNumber, text, sizeof text);
        return failure(ErrorCode::Unsupported,
                       "tokenizer: its split pattern is not one that this program can compile: " + pattern,
                       reinterpret_cast<const char *>(text));
    }
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); // without it the interpreter gives the same matches, slower
    SplitPattern result;
    result.m_source = pattern;
    result.m_code = std::make_shared<const Code>(code);
    return result;
}

void SplitPattern::split(std::string_view text, std::vector<std::string_view> &pieces) const
{
    const std::unique_ptr<pcre2_match_data, MatchDataDeleter> match(
        pcre2_match_data_create_from_pattern(m_code->code, nullptr));
    const auto *subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    std::size_t done = 0; // everything before it is in `pieces`
    std::size_t from = 0;
    while (from < text.size()) {
        int found = pcre2_match(m_code->code, subject, text.size(), from, PCRE2_NO_UTF_CHECK, match.get(), nullptr);
        if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
            found = pcre2_match(m_code->code, subject, text.size(), from, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
                                match.get(), nullptr);
        }
        if (found < 0) {
            if (found != PCRE2_ERROR_NOMATCH)
                spdlog::warn("split pattern gave up (PCRE2 error {}): the rest is one piece", found);
            break;
        }
        const PCRE2_SIZE *range = pcre2_get_ovector_pointer(match.get());
        if (range[1] <= from) { // an empty match splits nothing; go on behind the next character
            do {
                ++from;
            } while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80);
            continue;
        }
        if (range[0] > done)
            pieces.push_back(text.substr(done, range[0] - done));
        pieces.push_back(text.substr(range[0], range[1] - range[0]));
        done = from = range[1];
    }
    if (done < text.size())
        pieces.push_back(text.substr(done));
}

} // namespace dice::formats
