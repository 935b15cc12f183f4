// UTF-8 as the reference tokenizers treat it, and the printable alphabet in which byte-level vocabularies are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dice::formats {

// Length of the well-formed character at the start of `text` (1 to 4), or 0 when the bytes there are none.
std::size_t validCharacterLength(std::string_view text);
bool isAscii(std::string_view text);
bool isValidUtf8(std::string_view text);

// Every maximal ill-formed part becomes one U+FFFD (Unicode 3.9 "substitution of maximal subparts"; the same as
// Rust's String::from_utf8_lossy).
std::string fromUtf8Lossy(std::string_view bytes);

// GPT-2's table: each byte is written as one printable character (0x20 as U+0120, 0x0A as U+010A ...).
std::string bytesToAlphabet(std::string_view bytes);
// nullopt when a character is not of the alphabet.
std::optional<std::string> alphabetToBytes(std::string_view text);

} // namespace dice::formats
