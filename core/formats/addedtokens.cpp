#include "addedtokens.h"

#include "utf8.h"

#include <utf8proc.h>

#include <algorithm>

namespace dice::formats {

namespace {

bool isWhiteSpace(utf8proc_int32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool isWordCharacter(utf8proc_int32_t c)
{
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
        return true;
    default:
        return false;
    }
}

utf8proc_int32_t characterAt(std::string_view text)
{
    utf8proc_int32_t character = -1;
    utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
                     static_cast<utf8proc_ssize_t>(text.size()), &character);
    return character;
}

// Start of the last character before `end`.
std::size_t previousCharacter(std::string_view text, std::size_t end)
{
    do {
        --end;
    } while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
    return end;
}

bool standsAlone(std::string_view text, std::size_t begin, std::size_t end)
{
    const bool isWordBefore = begin > 0 && isWordCharacter(characterAt(text.substr(previousCharacter(text, begin))));
    const bool isWordBehind = end < text.size() && isWordCharacter(characterAt(text.substr(end)));
    return !isWordBefore && !isWordBehind;
}

std::size_t whiteSpaceStart(std::string_view text, std::size_t floor, std::size_t end)
{
    while (end > floor) {
        const std::size_t start = previousCharacter(text, end);
        if (start < floor || !isWhiteSpace(characterAt(text.substr(start))))
            break;
        end = start;
    }
    return end;
}

std::size_t whiteSpaceEnd(std::string_view text, std::size_t begin)
{
    while (begin < text.size() && isWhiteSpace(characterAt(text.substr(begin))))
        begin += validCharacterLength(text.substr(begin));
    return begin;
}

} // namespace

AddedTokenMatcher::AddedTokenMatcher(const std::vector<const AddedToken *> &tokens)
{
    for (const AddedToken *token : tokens) {
        if (token->content.empty())
            continue;
        m_byFirstByte[static_cast<unsigned char>(token->content.front())].push_back(token);
        m_isEmpty = false;
    }
    for (auto &group : m_byFirstByte) {
        std::stable_sort(group.begin(), group.end(), [](const AddedToken *a, const AddedToken *b) {
            return a->content.size() > b->content.size();
        });
    }
}

const AddedToken *AddedTokenMatcher::matchAt(std::string_view text, std::size_t position) const
{
    for (const AddedToken *token : m_byFirstByte[static_cast<unsigned char>(text[position])]) {
        if (text.substr(position).starts_with(token->content))
            return token;
    }
    return nullptr;
}

void AddedTokenMatcher::split(std::string_view text, std::vector<TextPart> &parts) const
{
    std::size_t done = 0;
    std::size_t position = 0;
    while (!m_isEmpty && position < text.size()) {
        const AddedToken *token = matchAt(text, position);
        if (!token) {
            ++position;
            continue;
        }
        std::size_t begin = position;
        std::size_t end = position + token->content.size();
        position = end; // a refused match is not searched again inside
        if (begin < done || (token->isSingleWord && !standsAlone(text, begin, end)))
            continue;
        if (token->stripsLeft)
            begin = whiteSpaceStart(text, done, begin);
        if (token->stripsRight)
            end = whiteSpaceEnd(text, end);
        if (begin > done)
            parts.push_back({text.substr(done, begin - done), nullptr});
        parts.push_back({text.substr(begin, end - begin), token});
        done = end;
    }
    if (done < text.size())
        parts.push_back({text.substr(done), nullptr});
}

} // namespace dice::formats
