// Trains a byte-level BPE and writes it as tokenizer.json (+ tokenizer_config.json) in Hugging Face's layout, which
// Tokenizer reads back. The same corpus and options always give the same file. Knows nothing of models.
#pragma once

#include "core/base/result.h"
#include "core/formats/tokenizer.h"

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
    std::string splitPattern; // PCRE2 with UTF and UCP; merges never cross a boundary between its matches
    // Pre-tokens that become one token before any merge is counted ("255", "int64_t"); each must match the split
    // pattern as one whole piece, else an Error names it.
    std::vector<std::string> wholeWords;
    std::vector<std::string> specialTokens; // behind the base vocabulary, in this order
    std::int64_t minPairCount = 2; // rarer pairs are not merged; the vocabulary is then smaller
    std::string chatTemplate; // for tokenizer_config.json; may be empty
    std::string eosToken, padToken, maskToken; // each one of specialTokens, or empty
};

struct BpeModel
{
    std::vector<std::string> tokens; // raw bytes by id; 256 single bytes first, then merges; without added tokens
    std::vector<std::pair<std::int32_t, std::int32_t>> merges; // in order of rank
};

// Splits at digits one by one, names at punctuation and case-free; keeps `wholeWords` as single pieces.
// For source code: letters and underscores run together, an optional space before them belongs to them.
std::string codeSplitPattern(const std::vector<std::string> &wholeWords);

Result<BpeModel> trainBpe(std::span<const std::string> corpus, const BpeTrainerOptions &options);
Status writeTokenizer(const std::filesystem::path &folder, const BpeModel &model, const BpeTrainerOptions &options);

} // namespace dice::formats
