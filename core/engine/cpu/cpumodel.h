// The Qwen3-style transformer under the block-causal mask in float32 on the CPU, for blocks of a few tokens: what
// SdarModel computes, without a framework between the loops. Torch-free.
#pragma once

#include "core/base/result.h"
#include "core/engine/blockmodel.h"
#include "core/engine/cpu/cpucache.h"
#include "core/engine/cpu/packedlinear.h"
#include "core/formats/hfconfig.h"
#include "core/formats/safetensors.h"

#include <functional>
#include <span>
#include <vector>

namespace dice::engine::cpu {

struct CpuLayer
{
    std::vector<float> attentionNorm;
    std::vector<float> queryNorm, keyNorm;
    PackedLinear queryKeyValue; // outputs: query heads, key heads, value heads
    PackedLinear output;
    std::vector<float> feedForwardNorm;
    PackedLinear gateUp; // outputs: gate, up
    PackedLinear down;
};

struct CpuWeights
{
    std::vector<float> embedding; // [vocab, hidden]
    std::vector<CpuLayer> layers;
    std::vector<float> finalNorm;
    PackedLinear head;
};

// InvalidData names the tensor that is absent or has another shape than the configuration says.
Result<CpuWeights> loadCpuWeights(const formats::Weights &file, const formats::ModelConfig &config);

// Angles of positions 0 .. numPositions-1, each row headDim long.
struct RopeRows
{
    std::vector<float> cos, sin;
};
using RopeSource = std::function<RopeRows(int numPositions)>;

class CpuModel : public BlockModel
{
public:
    CpuModel(formats::ModelConfig config, CpuWeights weights, RopeSource ropeSource);

    int vocabSize() const override { return static_cast<int>(m_config.vocabSize); }
    void reset(int blockLength, int capacity) override;
    void store(std::span<const TokenId> tokens) override;
    std::span<const float> denoise(const DenoiseCall &call) override;

private:
    // Leaves the states of rows from `firstWanted` on; of the rows before, only keys and values are wanted.
    void forward(std::span<const TokenId> tokens, int firstWanted);
    void runLayer(int layer, int firstRow);
    void feedForward(const CpuLayer &weights, int firstRow);
    void writeHeads(int layer);
    void attend(int layer, int firstRow);
    void attendRows(int layer, int head, int firstRow, int numRows);
    int numVisible(int row) const;
    float *rowOf(std::vector<float> &buffer, int row) const;

    formats::ModelConfig m_config;
    CpuWeights m_weights;
    RopeSource m_ropeSource;
    RopeRows m_rope;
    CpuCache m_cache;
    int m_blockLength = 1;

    // Of the forward under work; all [tokens, ...].
    int m_numTokens = 0;
    std::vector<float> m_state; // hidden
    std::vector<float> m_normed; // hidden
    std::vector<float> m_heads; // query, key and value heads
    std::vector<float> m_mixed; // query heads
    std::vector<float> m_gateUp; // 2 x intermediate
    std::vector<float> m_gated; // intermediate
    std::vector<float> m_update; // hidden
    std::vector<float> m_logits; // [rows, vocab]
};

} // namespace dice::engine::cpu
