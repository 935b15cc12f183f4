// The tensors of a checkpoint by name and shape, one table an architecture: the only place where names are written.
// For loading, for training (which reads and writes the same files) and for making test models. Knows no tensor.
#pragma once

#include "core/formats/hfconfig.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dice::engine {

enum class ModelWeight { Embedding, FinalNorm, Head };

enum class LayerWeight {
    AttentionNorm, // before attention
    Query,
    Key,
    Value,
    QueryNorm, // over headDim
    KeyNorm,
    Output,
    FeedForwardNorm, // before the feed-forward part
    Gate,
    Up,
    Down,
};

struct WeightSpec
{
    std::string name;
    std::vector<std::int64_t> shape; // [out, in] for projections
};

WeightSpec weightSpec(const formats::ModelConfig &config, ModelWeight weight);
WeightSpec weightSpec(const formats::ModelConfig &config, LayerWeight weight, std::int64_t layer);

// Everything that a folder with this configuration holds; no head when it is tied to the embedding.
std::vector<WeightSpec> allWeightSpecs(const formats::ModelConfig &config);

} // namespace dice::engine
