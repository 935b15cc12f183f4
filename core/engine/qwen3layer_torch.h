// One layer of the Qwen3-style transformer: RMS norm, grouped-query attention with q/k norm and rotary positions,
// SwiGLU. Shared by every model of that shape; which token sees which is the mask's business.
#pragma once

#include "core/engine/kvcache_torch.h"
#include "core/engine/modelweights_torch.h"
#include "core/engine/rope_torch.h"

#include <torch/torch.h>

#include <functional>
#include <string_view>

namespace dice::engine {

// Gets inner results by name, for comparison with stored ones: "q_after_norm", "k_after_norm" (before RoPE),
// "attention_before_o_proj", "out".
using ActivationTap = std::function<void(std::string_view name, std::int64_t layer, const at::Tensor &value)>;

// What one forward shares between its layers.
struct LayerContext
{
    const formats::ModelConfig &config;
    const RopeTable &rope;
    KvCache &cache;
    at::Tensor mask_TS; // undefined: every new token sees all
    const ActivationTap *tap = nullptr;
};

// x_TC -> x_TC; writes the new tokens' keys and values into the cache.
at::Tensor runQwen3Layer(const at::Tensor &x_TC, std::int64_t layer, const LayerWeights &weights,
                         const LayerContext &context);

} // namespace dice::engine
