// Whole model folders with random weights, for tests and speed measurements: same arguments, same bytes.
// Torch-free; the folder loads like any other.
#pragma once

#include "core/base/result.h"
#include "core/formats/hfconfig.h"

#include <cstdint>
#include <filesystem>

namespace dice::engine {

// SDAR with 2 layers, width 32, 4 query and 2 kv heads of 16, 272 tokens, blocks of 4: forwards of microseconds.
formats::ModelConfig tinyModelConfig();

// The shape of the model in the box: 8 layers, width 320, 5 heads of 64, 2560 tokens, tied, blocks of 8.
formats::ModelConfig nanoModelConfig();

// Writes configuration, weights (in config.torchDtype: F32 or BF16) and a tokenizer of the 256 bytes and four special
// tokens into `folder`, which must exist. `config` names its special tokens as tinyModelConfig() does.
Status makeRandomModel(const std::filesystem::path &folder, const formats::ModelConfig &config, std::uint64_t seed);

} // namespace dice::engine
