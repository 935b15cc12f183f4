#include "hfconfig.h"
#include "textfile.h"

namespace dice::formats {

namespace {

using nlohmann::ordered_json;

const char *modelTypeOf(Architecture architecture)
{
    switch (architecture) {
    case Architecture::Sdar:
        return "sdar";
    case Architecture::Qwen3:
        return "qwen3";
    case Architecture::Qwen2:
        return "qwen2";
    case Architecture::Dream:
        return "Dream";
    case Architecture::LLaDA:
        break;
    }
    return nullptr;
}

const char *torchName(DType type)
{
    return type == DType::BF16 ? "bfloat16" : type == DType::F16 ? "float16" : "float32";
}

ordered_json eosValue(const ModelConfig &config)
{
    if (config.eosTokenIds.size() == 1)
        return config.eosTokenIds.front();
    return config.eosTokenIds;
}

void addTokens(ordered_json &json, const ModelConfig &config)
{
    if (config.bosTokenId)
        json["bos_token_id"] = *config.bosTokenId;
    if (!config.eosTokenIds.empty())
        json["eos_token_id"] = eosValue(config);
    if (config.padTokenId)
        json["pad_token_id"] = *config.padTokenId;
}

ordered_json configJson(const ModelConfig &config)
{
    ordered_json json = {
        {"architectures", {toString(config.architecture)}},
        {"attention_bias", config.attentionBias},
        {"attention_dropout", 0.0},
        {"head_dim", config.headDim},
        {"hidden_act", "silu"},
        {"hidden_size", config.hiddenSize},
        {"intermediate_size", config.intermediateSize},
        {"max_position_embeddings", config.maxPositions},
        {"model_type", modelTypeOf(config.architecture)},
        {"num_attention_heads", config.numHeads},
        {"num_hidden_layers", config.numLayers},
        {"num_key_value_heads", config.numKvHeads},
        {"rms_norm_eps", config.rmsNormEps},
        {"rope_scaling", nullptr},
        {"rope_theta", config.ropeTheta},
        {"sliding_window", nullptr},
        {"tie_word_embeddings", config.tieWordEmbeddings},
        {"torch_dtype", torchName(config.torchDtype)},
        {"use_sliding_window", false},
        {"vocab_size", config.vocabSize},
    };
    addTokens(json, config);
    if (config.maskTokenId)
        json["mask_token_id"] = *config.maskTokenId;
    if (config.blockLength > 0)
        json["block_size"] = config.blockLength;
    if (config.padPromptToBlock)
        json["dice"] = {{"pad_prompt_to_block", true}};
    return json;
}

} // namespace

Status writeModelConfig(const std::filesystem::path &folder, const ModelConfig &config)
{
    if (!modelTypeOf(config.architecture)) {
        return failure(ErrorCode::Unsupported,
                       std::string("a configuration of ") + toString(config.architecture) + " cannot be written");
    }
    constexpr int indent = 2;
    if (const Status status = replaceFile(folder / "config.json", configJson(config).dump(indent) + "\n"); !status)
        return status;
    ordered_json generation = ordered_json::object();
    addTokens(generation, config);
    return replaceFile(folder / "generation_config.json", generation.dump(indent) + "\n");
}

} // namespace dice::formats
