// Finds added tokens in text, before anything else looks at it. Semantics of Hugging Face's AddedVocabulary: leftmost
// first, then longest; white space beside a match may belong to it.
#pragma once

#include "core/formats/tokenizer.h"

#include <array>
#include <string_view>
#include <vector>

namespace dice::formats {

struct TextPart
{
    std::string_view text;
    const AddedToken *token = nullptr; // nullptr: ordinary text
};

class AddedTokenMatcher
{
public:
    AddedTokenMatcher() = default;
    // `tokens` must outlive the matcher; tokens with empty content never match.
    explicit AddedTokenMatcher(const std::vector<const AddedToken *> &tokens);

    void split(std::string_view text, std::vector<TextPart> &parts) const;
    bool isEmpty() const { return m_isEmpty; }

private:
    const AddedToken *matchAt(std::string_view text, std::size_t position) const;

    std::array<std::vector<const AddedToken *>, 256> m_byFirstByte; // longest first
    bool m_isEmpty = true;
};

} // namespace dice::formats
