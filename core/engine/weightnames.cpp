#include "weightnames.h"

#include <array>

namespace dice::engine {

namespace {

struct LayerName
{
    LayerWeight weight;
    const char *name; // behind "model.layers.<l>."
};

// Qwen3 and, with the same names, SDAR.
constexpr std::array<LayerName, 11> qwen3Names{{
    {LayerWeight::AttentionNorm, "input_layernorm.weight"},
    {LayerWeight::Query, "self_attn.q_proj.weight"},
    {LayerWeight::Key, "self_attn.k_proj.weight"},
    {LayerWeight::Value, "self_attn.v_proj.weight"},
    {LayerWeight::QueryNorm, "self_attn.q_norm.weight"},
    {LayerWeight::KeyNorm, "self_attn.k_norm.weight"},
    {LayerWeight::Output, "self_attn.o_proj.weight"},
    {LayerWeight::FeedForwardNorm, "post_attention_layernorm.weight"},
    {LayerWeight::Gate, "mlp.gate_proj.weight"},
    {LayerWeight::Up, "mlp.up_proj.weight"},
    {LayerWeight::Down, "mlp.down_proj.weight"},
}};

std::vector<std::int64_t> layerShape(const formats::ModelConfig &config, LayerWeight weight)
{
    switch (weight) {
    case LayerWeight::AttentionNorm:
    case LayerWeight::FeedForwardNorm:
        return {config.hiddenSize};
    case LayerWeight::Query:
        return {config.numHeads * config.headDim, config.hiddenSize};
    case LayerWeight::Key:
    case LayerWeight::Value:
        return {config.numKvHeads * config.headDim, config.hiddenSize};
    case LayerWeight::QueryNorm:
    case LayerWeight::KeyNorm:
        return {config.headDim};
    case LayerWeight::Output:
        return {config.hiddenSize, config.numHeads * config.headDim};
    case LayerWeight::Gate:
    case LayerWeight::Up:
        return {config.intermediateSize, config.hiddenSize};
    case LayerWeight::Down:
        return {config.hiddenSize, config.intermediateSize};
    }
    return {};
}

} // namespace

WeightSpec weightSpec(const formats::ModelConfig &config, ModelWeight weight)
{
    switch (weight) {
    case ModelWeight::Embedding:
        return {"model.embed_tokens.weight", {config.vocabSize, config.hiddenSize}};
    case ModelWeight::FinalNorm:
        return {"model.norm.weight", {config.hiddenSize}};
    case ModelWeight::Head:
        break;
    }
    return {"lm_head.weight", {config.vocabSize, config.hiddenSize}};
}

WeightSpec weightSpec(const formats::ModelConfig &config, LayerWeight weight, std::int64_t layer)
{
    for (const LayerName &entry : qwen3Names) {
        if (entry.weight == weight)
            return {"model.layers." + std::to_string(layer) + "." + entry.name, layerShape(config, weight)};
    }
    return {};
}

std::vector<WeightSpec> allWeightSpecs(const formats::ModelConfig &config)
{
    std::vector<WeightSpec> specs{weightSpec(config, ModelWeight::Embedding)};
    for (std::int64_t layer = 0; layer < config.numLayers; ++layer) {
        for (const LayerName &entry : qwen3Names)
            specs.push_back(weightSpec(config, entry.weight, layer));
    }
    specs.push_back(weightSpec(config, ModelWeight::FinalNorm));
    if (!config.tieWordEmbeddings)
        specs.push_back(weightSpec(config, ModelWeight::Head));
    return specs;
}

} // namespace dice::engine
