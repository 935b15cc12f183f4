// What a loaded tokenizer consists of; filled by the reader, used by the pipeline. Internal to core/formats.
#pragma once

#include "addedtokens.h"
#include "bpemerger.h"
#include "splitpattern.h"
#include "tokenizer.h"

#include <deque>
#include <optional>

namespace dice::formats {

enum class Normalization { Nfc, Nfd, Nfkc, Nfkd };

struct Tokenizer::Data
{
    std::vector<Normalization> normalizers;
    std::vector<SplitPattern> splits; // each splits the pieces of the one before
    std::optional<BpeMerger> merger;

    std::vector<std::string> bytesOfId; // as the byte-level decoder gives them
    std::vector<bool> isKnownId;
    TokenIds idOfBytes; // of the base vocabulary

    std::vector<AddedToken> added; // by id
    std::unordered_map<std::int32_t, std::size_t> addedOfId;
    AddedTokenMatcher rawMatcher; // looks at the text as given
    AddedTokenMatcher normalizedMatcher; // looks at what the normalizer made of the rest
    std::deque<AddedToken> normalizedForms; // owned by normalizedMatcher: contents after the normalizer
};

std::string applyNormalizers(const std::vector<Normalization> &normalizers, std::string_view text);

} // namespace dice::formats
