// Checkpoints of a training: a model folder in Hugging Face's layout (weights in bfloat16) with two files more,
// trainer.safetensors (float32 master weights and moments) and trainer.json (counters), from which it goes on exactly.
// Written as step-N.partial and renamed when whole: a kill at any moment leaves no half checkpoint behind.
#pragma once

#include "core/base/result.h"
#include "core/formats/hfconfig.h"
#include "core/train/flatadamw_torch.h"
#include "core/train/flatparameters_torch.h"

#include <cstdint>
#include <filesystem>

namespace dice::train {

struct TrainerCounters
{
    std::int64_t step = 0;
    std::int64_t positions = 0;
    double elapsedSeconds = 0.0;
};

struct CheckpointSource
{
    const formats::ModelConfig &config;
    std::filesystem::path tokenizerFolder; // its tokenizer files are copied
    const FlatParameters &parameters;
    const FlatAdamW &optimizer;
    TrainerCounters counters;
};

Status writeCheckpoint(const std::filesystem::path &folder, const CheckpointSource &source);

Result<TrainerCounters> readCheckpoint(const std::filesystem::path &folder, FlatParameters &parameters,
                                       FlatAdamW &optimizer);

} // namespace dice::train
