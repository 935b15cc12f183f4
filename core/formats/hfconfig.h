// What a model folder in Hugging Face's layout says about its model: config.json and generation_config.json, read into
// one struct with the same names for every family. Knows nothing of weights or tensors.
#pragma once

#include "core/base/result.h"
#include "core/formats/safetensors.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dice::formats {

enum class Architecture { Sdar, Qwen3, Qwen2, LLaDA, Dream };

const char *toString(Architecture architecture); // the word of config.json: "SDARForCausalLM", ...

struct ModelConfig
{
    Architecture architecture = Architecture::Sdar;
    std::int64_t hiddenSize = 0;
    std::int64_t numLayers = 0;
    std::int64_t numHeads = 0;
    std::int64_t numKvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t intermediateSize = 0;
    std::int64_t vocabSize = 0; // rows of the embedding; may exceed the tokenizer's
    double rmsNormEps = 1e-6;
    double ropeTheta = 1e4;
    std::int64_t maxPositions = 0;
    bool tieWordEmbeddings = false;
    bool attentionBias = false; // of q, k, v (Qwen2 and Dream always have it)
    bool hasQkNorm = false; // RMS norm over headDim of q and k before RoPE (Sdar, Qwen3)
    std::int64_t blockLength = 0; // 0: not a block-diffusion model
    // Our own key dice.pad_prompt_to_block: the prompt is padded at its left with padTokenId to whole blocks.
    bool padPromptToBlock = false;
    DType torchDtype = DType::F32;

    std::optional<std::int32_t> maskTokenId;
    std::optional<std::int32_t> bosTokenId;
    std::optional<std::int32_t> padTokenId;
    std::vector<std::int32_t> eosTokenIds; // generation_config.json first, then config.json, no doubles

    bool isDiffusion() const { return architecture != Architecture::Qwen3 && architecture != Architecture::Qwen2; }
    bool isBlockDiffusion() const { return architecture == Architecture::Sdar; }
};

// Errors: no folder, no config.json, not JSON, an unknown architecture (named), a missing or impossible field (named).
Result<ModelConfig> readModelConfig(const std::filesystem::path &folder);

// Writes config.json and generation_config.json so that readModelConfig gives the same struct back, and Hugging Face's
// own classes of that architecture understand it. Each file is replaced atomically.
Status writeModelConfig(const std::filesystem::path &folder, const ModelConfig &config);

} // namespace dice::formats
