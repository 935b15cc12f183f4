// Byte-level BPE tokenizers of Hugging Face's layout: tokenizer.json, or vocab.json + merges.txt (+ added_tokens.json,
// tokenizer_config.json). Text in, ids out, and back. Knows nothing of models or chat templates.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dice::formats {

// The split pattern of the Qwen2 family; the one used when a folder has vocab.json and merges.txt alone.
extern const char *const qwen2SplitPattern;

enum class SpecialTokens { Keep, Skip };

struct AddedToken
{
    std::int32_t id = 0;
    std::string content;
    bool isSpecial = false; // left out by decode with SpecialTokens::Skip
    bool stripsLeft = false; // swallows white space before it
    bool stripsRight = false; // swallows white space behind it
    bool isSingleWord = false; // matches only between non-word characters
    bool isNormalized = false; // matched in the normalized text rather than in the raw one
};

// Immutable after loading, cheap to copy; encode and decode may be called from several threads at once.
class Tokenizer
{
public:
    static Result<Tokenizer> fromFolder(const std::filesystem::path &folder);
    static Result<Tokenizer> fromTokenizerJson(const std::filesystem::path &file);
    static Result<Tokenizer> fromVocabAndMerges(const std::filesystem::path &folder);

    // Text that is not UTF-8 has its bad bytes replaced by U+FFFD first. Added tokens are recognised in the text.
    std::vector<std::int32_t> encode(std::string_view text) const;
    // Bytes that are no UTF-8 become U+FFFD, one for each maximal bad run as Rust's String::from_utf8_lossy makes them.
    std::string decode(std::span<const std::int32_t> ids, SpecialTokens special = SpecialTokens::Keep) const;
    // The raw bytes of one token, perhaps part of a character; empty for an id without a token.
    std::string_view tokenBytes(std::int32_t id) const;

    std::optional<std::int32_t> idOf(std::string_view token) const; // an added token's text, or a token's raw bytes
    bool isSpecial(std::int32_t id) const;
    std::int32_t size() const; // highest id + 1, added tokens included
    const std::vector<AddedToken> &addedTokens() const;

    // The two first stages alone, for checks: the text after the normalizer, and its pre-tokens.
    std::string normalize(std::string_view text) const;
    std::vector<std::string> preTokenize(std::string_view normalized) const;

private:
    struct Data;
    explicit Tokenizer(std::shared_ptr<const Data> data);
    friend struct TokenizerReader;

    std::shared_ptr<const Data> m_data;
};

} // namespace dice::formats
