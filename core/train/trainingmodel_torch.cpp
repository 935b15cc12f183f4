#include "trainingmodel_torch.h"

#include <cmath>
#include <optional>
#include <vector>

namespace dice::train {

// Suffixes: B rows, L positions, D hidden size, N query heads, K kv heads, H head size, M positions with loss.
namespace {

struct Rotation
{
    at::Tensor cos_BL1H;
    at::Tensor sin_BL1H; // the first half negated: x * cos + swapped halves of x * sin is the whole rotation
};

// Angles in float32, as the reference has them: position * theta^(-2i/H).
Rotation makeRotation(const at::Tensor &positions_BL, const formats::ModelConfig &config, at::ScalarType type)
{
    const at::TensorOptions options = positions_BL.options().dtype(at::kFloat);
    const at::Tensor exponents = at::arange(0, config.headDim, 2, options) / static_cast<double>(config.headDim);
    const at::Tensor frequencies = at::pow(config.ropeTheta, exponents).reciprocal();
    const at::Tensor angles = positions_BL.to(at::kFloat).unsqueeze(-1) * frequencies;
    const at::Tensor sines = at::sin(angles);
    const at::Tensor cosines = at::cos(angles);
    return {at::cat({cosines, cosines}, -1).unsqueeze(2).to(type), at::cat({-sines, sines}, -1).unsqueeze(2).to(type)};
}

at::Tensor rotate(const at::Tensor &x_BLNH, const Rotation &rotation)
{
    const std::int64_t half = x_BLNH.size(-1) / 2;
    const at::Tensor swapped = at::roll(x_BLNH, half, -1);
    return x_BLNH * rotation.cos_BL1H + swapped * rotation.sin_BL1H;
}

// What every layer shares.
struct Context
{
    const formats::ModelConfig &config;
    Rotation rotation;
    at::Tensor bias_B1LL; // 0 where visible, -inf elsewhere, in the type that computes
};

at::Tensor norm(const at::Tensor &x, const at::Tensor &weight, const formats::ModelConfig &config)
{
    return at::rms_norm(x, {x.size(-1)}, weight, config.rmsNormEps);
}

at::Tensor repeatKvHeads(const at::Tensor &x_BKLH, const formats::ModelConfig &config)
{
    const std::int64_t repeats = config.numHeads / config.numKvHeads;
    return repeats == 1 ? x_BKLH : x_BKLH.repeat_interleave(repeats, 1);
}

at::Tensor attention(const at::Tensor &x_BLD, const TrainableLayer &layer, const Context &context)
{
    const formats::ModelConfig &config = context.config;
    const std::int64_t rows = x_BLD.size(0);
    const std::int64_t length = x_BLD.size(1);
    const at::Tensor fused = at::linear(norm(x_BLD, layer.attentionNorm, config), layer.queryKeyValue)
                                 .view({rows, length, config.numHeads + 2 * config.numKvHeads, config.headDim});
    const std::vector<at::Tensor> parts
        = fused.split_with_sizes({config.numHeads, config.numKvHeads, config.numKvHeads}, 2);
    const at::Tensor q_BNLH = rotate(norm(parts[0], layer.queryNorm, config), context.rotation).transpose(1, 2);
    const at::Tensor k_BKLH = rotate(norm(parts[1], layer.keyNorm, config), context.rotation).transpose(1, 2);
    const at::Tensor mixed_BNLH = at::scaled_dot_product_attention(
        q_BNLH, repeatKvHeads(k_BKLH, config), repeatKvHeads(parts[2].transpose(1, 2), config), context.bias_B1LL);
    return at::linear(mixed_BNLH.transpose(1, 2).reshape({rows, length, config.numHeads * config.headDim}),
                      layer.output);
}

at::Tensor feedForward(const at::Tensor &x_BLD, const TrainableLayer &layer, const Context &context)
{
    const at::Tensor gateUp = at::linear(norm(x_BLD, layer.feedForwardNorm, context.config), layer.gateUp);
    const std::vector<at::Tensor> halves = gateUp.chunk(2, -1);
    return at::linear(at::silu(halves[0]) * halves[1], layer.down);
}

at::Tensor makeBias(const TrainingBatch &batch, at::ScalarType type)
{
    const at::NoGradGuard noGrad;
    const at::Tensor hidden = visibility(batch).logical_not_();
    return at::zeros(hidden.sizes(), hidden.options().dtype(type)).masked_fill_(hidden, -INFINITY).unsqueeze(1);
}

} // namespace

at::Tensor logitsAtLoss(const TrainableWeights &weights, const formats::ModelConfig &config, const TrainingBatch &batch)
{
    const at::ScalarType type = weights.embedding.scalar_type();
    const Context context{config, makeRotation(batch.positions_BL, config, type), makeBias(batch, type)};
    at::Tensor x_BLD = at::embedding(weights.embedding, batch.tokens_BL);
    for (const TrainableLayer &layer : weights.layers) {
        x_BLD = x_BLD + attention(x_BLD, layer, context);
        x_BLD = x_BLD + feedForward(x_BLD, layer, context);
    }
    const at::Tensor chosen_MD = x_BLD.flatten(0, 1).index_select(0, batch.lossIndex_M);
    return at::linear(norm(chosen_MD, weights.finalNorm, config), weights.head);
}

} // namespace dice::train
