#include "utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace dice::formats {

namespace {

struct LeadRule
{
    std::size_t length = 0; // 0: no lead byte
    unsigned char secondMin = 0x80;
    unsigned char secondMax = 0xBF;
};

// Unicode table 3-7: overlong forms, surrogates and values above U+10FFFF are excluded by the second byte's range.
LeadRule leadRule(unsigned char lead)
{
    if (lead < 0x80)
        return {.length = 1};
    if (lead >= 0xC2 && lead <= 0xDF)
        return {.length = 2};
    if (lead >= 0xE0 && lead <= 0xEF) {
        return {.length = 3,
                .secondMin = static_cast<unsigned char>(lead == 0xE0 ? 0xA0 : 0x80),
                .secondMax = static_cast<unsigned char>(lead == 0xED ? 0x9F : 0xBF)};
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        return {.length = 4,
                .secondMin = static_cast<unsigned char>(lead == 0xF0 ? 0x90 : 0x80),
                .secondMax = static_cast<unsigned char>(lead == 0xF4 ? 0x8F : 0xBF)};
    }
    return {};
}

// How many bytes from the start fit the rule of the lead byte: equal to its length for a whole character.
std::size_t fittingBytes(std::string_view text, const LeadRule &rule)
{
    std::size_t fitting = 1;
    while (fitting < rule.length && fitting < text.size()) {
        const auto byte = static_cast<unsigned char>(text[fitting]);
        const unsigned char low = fitting == 1 ? rule.secondMin : 0x80;
        const unsigned char high = fitting == 1 ? rule.secondMax : 0xBF;
        if (byte < low || byte > high)
            break;
        ++fitting;
    }
    return fitting;
}

struct Alphabet
{
    std::array<std::uint16_t, 256> characterOf{};
    std::array<std::int16_t, 0x144> byteOf{};

    Alphabet()
    {
        byteOf.fill(-1);
        std::uint16_t nextFree = 0x100;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const bool isPrintable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
            characterOf[byte] = isPrintable ? static_cast<std::uint16_t>(byte) : nextFree++;
            byteOf[characterOf[byte]] = static_cast<std::int16_t>(byte);
        }
    }
};

const Alphabet &alphabet()
{
    static const Alphabet table;
    return table;
}

} // namespace

std::size_t validCharacterLength(std::string_view text)
{
    if (text.empty())
        return 0;
    const LeadRule rule = leadRule(static_cast<unsigned char>(text.front()));
    return rule.length != 0 && fittingBytes(text, rule) == rule.length ? rule.length : 0;
}

bool isAscii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool isValidUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = validCharacterLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string fromUtf8Lossy(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const LeadRule rule = leadRule(static_cast<unsigned char>(bytes.front()));
        const std::size_t fitting = rule.length == 0 ? 1 : fittingBytes(bytes, rule);
        if (rule.length != 0 && fitting == rule.length)
            text.append(bytes.substr(0, fitting));
        else
            text.append("\xEF\xBF\xBD");
        bytes.remove_prefix(fitting);
    }
    return text;
}

std::string bytesToAlphabet(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char byte : bytes) {
        const std::uint16_t character = alphabet().characterOf[static_cast<unsigned char>(byte)];
        if (character < 0x80) {
            text.push_back(static_cast<char>(character));
        } else {
            text.push_back(static_cast<char>(0xC0 | (character >> 6)));
            text.push_back(static_cast<char>(0x80 | (character & 0x3F)));
        }
    }
    return text;
}

std::optional<std::string> alphabetToBytes(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = validCharacterLength(text);
        if (length == 0 || length > 2)
            return std::nullopt;
        const auto lead = static_cast<unsigned char>(text[0]);
        const std::size_t character
            = length == 1 ? lead : (std::size_t{lead & 0x1Fu} << 6) | (static_cast<unsigned char>(text[1]) & 0x3Fu);
        if (character >= alphabet().byteOf.size() || alphabet().byteOf[character] < 0)
            return std::nullopt;
        bytes.push_back(static_cast<char>(alphabet().byteOf[character]));
        text.remove_prefix(length);
    }
    return bytes;
}

} // namespace dice::formats
