// Trains a byte-level BPE and writes it as tokenizer.json (+ tokenizer_config.json) in Hugging Face's layout, which
// Tokenizer reads back. The same corpus and options always give the same file. Knows nothing of models.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dice::formats {

struct BpeTrainerOptions
{
    std::int32_t vocabSize = 2560; // added tokens included
    std::string splitPattern; // merges never cross a boundary between its matches
    std::vector<std::string> specialTokens; // behind the base vocabulary, in this order
    std::int64_t minPairCount = 2; // rarer pairs are not merged; the vocabulary is then smaller
};

struct BpeModel
{
    std::vector<std::string> tokens; // raw bytes by id; 256 single bytes first, then merges; without special tokens
    std::vector<std::pair<std::int32_t, std::int32_t>> merges; // in order of rank
};

// What tokenizer_config.json says besides; each token one of specialTokens, or empty.
struct TokenizerSettings
{
    std::string eosToken;
    std::string padToken;
    std::string maskToken;
    std::string chatTemplate;
};

// For source code: a name is split at its underscores (each begins the next part), digits stand alone, a run of
// punctuation is one piece, a line break takes the indentation behind it. `wholeWords` ("255", "int64_t") stay whole
// where they stand alone. Names and punctuation never share a token; a single space may belong to what follows it.
std::string codeSplitPattern(const std::vector<std::string> &wholeWords);

// Errors: a pattern that does not compile; a vocabulary smaller than 256 bytes and the special tokens; no text.
Result<BpeModel> trainBpe(std::span<const std::string> corpus, const BpeTrainerOptions &options);
Status writeTokenizer(const std::filesystem::path &folder, const BpeModel &model, const BpeTrainerOptions &options,
                      const TokenizerSettings &settings);

} // namespace dice::formats
