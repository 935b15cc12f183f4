// The weights of a Qwen3-style transformer as tensors, fused where one product serves several projections.
#pragma once

#include "core/base/result.h"
#include "core/formats/hfconfig.h"
#include "core/formats/safetensors.h"

#include <torch/torch.h>

#include <vector>

namespace dice::engine {

struct LayerWeights
{
    at::Tensor attentionNorm;
    at::Tensor queryKeyValue; // rows: query heads, key heads, value heads
    at::Tensor queryKeyNorm; // [H + K, D]: the query norm for each query head, the key norm for each kv head
    at::Tensor output;
    at::Tensor feedForwardNorm;
    at::Tensor gateUp; // rows: gate, up
    at::Tensor down;
};

struct ModelWeights
{
    at::Tensor embedding; // [V, hidden]
    std::vector<LayerWeights> layers;
    at::Tensor finalNorm;
    at::Tensor head; // [V, hidden]; shares the embedding when tied
};

// Copies every tensor to `options` (type and device), widening or narrowing as needed. InvalidData names the tensor
// that is absent or has another shape than the configuration says.
Result<ModelWeights> loadModelWeights(const formats::Weights &file, const formats::ModelConfig &config,
                                      const at::TensorOptions &options);

} // namespace dice::engine
