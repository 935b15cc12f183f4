// SDAR / DICE: the Qwen3-style transformer under the block-causal mask, with unshifted logits, as a BlockModel.
#pragma once

#include "core/base/result.h"
#include "core/engine/attention_torch.h"
#include "core/engine/blockmodel.h"
#include "core/engine/kvcache_torch.h"
#include "core/engine/modelweights_torch.h"
#include "core/engine/qwen3layer_torch.h"
#include "core/engine/rope_torch.h"

#include <torch/torch.h>

#include <span>
#include <vector>

namespace dice::engine {

class SdarModel : public BlockModel
{
public:
    // `options`: type and device of the weights.
    SdarModel(formats::ModelConfig config, ModelWeights weights, const at::TensorOptions &options);

    int vocabSize() const override { return static_cast<int>(m_config.vocabSize); }
    void reset(int blockLength, int capacity) override;
    void store(std::span<const TokenId> tokens) override;
    std::span<const float> denoise(const DenoiseCall &call) override;

    // One forward over `tokens` behind the cache: the state after the final norm, [T, C]. The cache stays as it was.
    at::Tensor hidden(std::span<const TokenId> tokens, const ActivationTap *tap = nullptr);
    // Logits of rows of that state, float32 on the CPU, [T, V].
    at::Tensor logits(const at::Tensor &hidden_TC) const;

    const RopeTable &rope() const { return m_rope; }

private:
    formats::ModelConfig m_config;
    ModelWeights m_weights;
    at::TensorOptions m_options;
    RopeTable m_rope;
    KvCache m_cache;
    BlockCausalMask m_mask;
    int m_blockLength = 1;
    at::Tensor m_logits; // of the last denoise call
};

} // namespace dice::engine
