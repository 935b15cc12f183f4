#include "qwen3layer_torch.h"

#include "core/engine/attention_torch.h"

namespace dice::engine {

// Suffixes: T new tokens, C hidden size, H query heads, K kv heads, D head size.
namespace {

void report(const LayerContext &context, std::string_view name, std::int64_t layer, const at::Tensor &value)
{
    if (context.tap)
        (*context.tap)(name, layer, value);
}

at::Tensor attentionPart(const at::Tensor &x_TC, std::int64_t layer, const LayerWeights &weights,
                         const LayerContext &context)
{
    const formats::ModelConfig &config = context.config;
    const std::int64_t numQueryKey = config.numHeads + config.numKvHeads;
    const at::Tensor normed_TC = at::rms_norm(x_TC, {config.hiddenSize}, weights.attentionNorm, config.rmsNormEps);
    const at::Tensor heads_THD = at::linear(normed_TC, weights.queryKeyValue)
                                     .view({x_TC.size(0), numQueryKey + config.numKvHeads, config.headDim});
    const at::Tensor queryKey_THD
        = at::rms_norm(heads_THD.narrow(1, 0, numQueryKey), {config.headDim}, std::nullopt, config.rmsNormEps)
        * weights.queryKeyNorm;
    report(context, "q_after_norm", layer, queryKey_THD.narrow(1, 0, config.numHeads));
    report(context, "k_after_norm", layer, queryKey_THD.narrow(1, config.numHeads, config.numKvHeads));
    const at::Tensor rotated_THD = rotate(queryKey_THD, context.rope, context.cache.length());
    const at::Tensor keys_TKD = rotated_THD.narrow(1, config.numHeads, config.numKvHeads);
    const at::Tensor values_TKD = heads_THD.narrow(1, numQueryKey, config.numKvHeads);
    const KvCache::Entry seen
        = context.cache.write(static_cast<std::size_t>(layer), keys_TKD.transpose(0, 1), values_TKD.transpose(0, 1));
    const at::Tensor mixed
        = attend(rotated_THD.narrow(1, 0, config.numHeads), seen.keys_KSD, seen.values_KSD, context.mask_TS);
    report(context, "attention_before_o_proj", layer, mixed);
    return at::linear(mixed, weights.output);
}

at::Tensor feedForwardPart(const at::Tensor &x_TC, const LayerWeights &weights, const formats::ModelConfig &config)
{
    const at::Tensor normed_TC = at::rms_norm(x_TC, {config.hiddenSize}, weights.feedForwardNorm, config.rmsNormEps);
    const at::Tensor gateUp = at::linear(normed_TC, weights.gateUp);
    const at::Tensor gated = at::silu(gateUp.narrow(1, 0, config.intermediateSize))
        * gateUp.narrow(1, config.intermediateSize, config.intermediateSize);
    return at::linear(gated, weights.down);
}

} // namespace

at::Tensor runQwen3Layer(const at::Tensor &x_TC, std::int64_t layer, const LayerWeights &weights,
                         const LayerContext &context)
{
    const at::Tensor attended_TC = x_TC + attentionPart(x_TC, layer, weights, context);
    at::Tensor out_TC = attended_TC + feedForwardPart(attended_TC, weights, context.config);
    report(context, "out", layer, out_TC);
    return out_TC;
}

} // namespace dice::engine
