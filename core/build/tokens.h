// Splits C++ and CUDA text into tokens with their places: enough structure to rewrite it without losing a line.
// Comments are no tokens; strings, raw strings and characters are one each; of preprocessor lines only the bodies of
// #define give tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dice::build {

enum class TokenKind { Identifier, Number, String, Punctuation };

struct Token
{
    TokenKind kind = TokenKind::Punctuation;
    std::size_t offset = 0;
    std::size_t length = 0;
    int line = 1;
    bool isInDirective = false; // within a #define
    std::string_view text;

    std::size_t end() const { return offset + length; }
    bool is(std::string_view what) const { return text == what; }
    bool isIdentifier() const { return kind == TokenKind::Identifier; }
};

// "::", "->", and "<<<" are one token; every other punctuation is one character, so ">>>" is three.
// The views point into text.
std::vector<Token> tokenize(std::string_view text);

// Index of the token that closes the bracket at open, or tokens.size().
std::size_t closingBracket(const std::vector<Token> &tokens, std::size_t open);
// Index of the token that opens the bracket closed at close, or tokens.size().
std::size_t openingBracket(const std::vector<Token> &tokens, std::size_t close);

// Replacements in a text, gathered in any order and applied at once.
class Edits
{
public:
    void replace(std::size_t offset, std::size_t length, std::string with);
    void insert(std::size_t offset, std::string what) { replace(offset, 0, std::move(what)); }
    std::string apply(std::string_view text) const;

private:
    struct Edit
    {
        std::size_t offset;
        std::size_t length;
        std::string with;
    };
    std::vector<Edit> m_edits;
};

} // namespace dice::build
