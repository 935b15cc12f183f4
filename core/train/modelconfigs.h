// The configuration of a model that training makes or goes on from. Torch-free.
#pragma once

#include "core/base/result.h"
#include "core/data/trainconfig.h"
#include "core/formats/hfconfig.h"

#include <filesystem>

namespace dice::train {

// A new SDAR-style model of the given shape for this tokenizer; its special tokens must be those of specialtokens.h.
Result<formats::ModelConfig> newModelConfig(const ModelShape &shape, const std::filesystem::path &tokenizerFolder);

// The configuration of a folder to go on from: block diffusion, with mask, pad and end tokens.
Result<formats::ModelConfig> readTrainableConfig(const std::filesystem::path &modelFolder);

} // namespace dice::train
