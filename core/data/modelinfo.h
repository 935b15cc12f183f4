// What a model folder holds, as the engine tells it: name, sizes, card. No weights.
#pragma once

#include "core/data/json.h"

#include <cstdint>
#include <string>

namespace dice {

struct ModelInfo
{
    std::string name;
    std::string folder;
    std::string architecture; // "sdar"
    std::int64_t numParameters = 0;
    int numLayers = 0;
    int hiddenSize = 0;
    int vocabSize = 0;
    int blockLength = 0; // tokens, what the model was trained with
    std::int64_t sizeBytes = 0;
    std::string dtype; // "bfloat16"
    std::string card;  // text of its README.md; may be empty

    bool operator==(const ModelInfo &) const = default;
};

Json toJson(const ModelInfo &info);
Result<ModelInfo> modelInfoFromJson(const Json &json);

} // namespace dice
