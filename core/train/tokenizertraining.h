// Trains the tokenizer of a new model on the pairs that it will learn from. Torch-free.
#pragma once

#include "core/base/result.h"
#include "core/train/trainer.h"

#include <cstdint>
#include <filesystem>

namespace dice::train {

struct TokenizerTraining
{
    int vocabSize = 2560; // special tokens included
    int numPairs = 20'000;
    std::uint64_t seed = 1;
};

// Writes tokenizer.json and tokenizer_config.json with the chat template into `folder`, which is made when missing.
Status trainTokenizer(const std::filesystem::path &folder, const TokenizerTraining &options, const PairSource &source);

} // namespace dice::train
