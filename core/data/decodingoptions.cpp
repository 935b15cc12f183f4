#include "decodingoptions.h"

#include <array>
#include <utility>

namespace dice {

namespace {
constexpr std::array<std::pair<Remasking, const char *>, 4> remaskingNames{{
    {Remasking::Sequential, "sequential"},
    {Remasking::LowConfidenceStatic, "low_confidence_static"},
    {Remasking::LowConfidenceDynamic, "low_confidence_dynamic"},
    {Remasking::EntropyBounded, "entropy_bounded"},
}};
} // namespace

const char *toString(Remasking strategy)
{
    for (const auto &[known, name] : remaskingNames) {
        if (known == strategy)
            return name;
    }
    return "unknown";
}

Result<Remasking> remaskingFromString(const std::string &name)
{
    for (const auto &[strategy, known] : remaskingNames) {
        if (name == known)
            return strategy;
    }
    return failure(ErrorCode::InvalidArgument,
                   "unknown remasking strategy \"" + name
                       + "\"; use sequential, low_confidence_static, low_confidence_dynamic or entropy_bounded");
}

Status validate(const DecodingOptions &options)
{
    const auto refuse = [](const char *sentence) { return failure(ErrorCode::InvalidArgument, sentence); };
    if (options.blockLength < 0 || options.blockLength > 1024)
        return refuse("block length must be between 1 and 1024, or 0 for the model's own");
    if (options.stepsPerBlock < 0 || options.stepsPerBlock > 1024)
        return refuse("steps a block must be between 1 and the block length, or 0 for the default");
    if (!(options.threshold >= 0.0 && options.threshold <= 1.0))
        return refuse("threshold is a probability: give a number from 0 to 1");
    if (!(options.entropyBound >= 0.0))
        return refuse("entropy bound must not be negative");
    if (!(options.temperature >= 0.0 && options.temperature <= 100.0))
        return refuse("temperature must be between 0 (greedy) and 100");
    if (options.topK < 0)
        return refuse("top-k must not be negative; 0 switches it off");
    if (!(options.topP > 0.0 && options.topP <= 1.0))
        return refuse("top-p must be above 0 and at most 1; 1 switches it off");
    if (options.maxNewTokens < 1 || options.maxNewTokens > 1 << 20)
        return refuse("the length limit must be between 1 and 1048576 tokens");
    return {};
}

Json toJson(const DecodingOptions &options)
{
    return {{"block_length", options.blockLength}, {"steps_per_block", options.stepsPerBlock},
            {"strategy", toString(options.strategy)}, {"threshold", options.threshold},
            {"entropy_bound", options.entropyBound}, {"temperature", options.temperature},
            {"top_k", options.topK}, {"top_p", options.topP},
            {"seed", options.seed}, {"max_new_tokens", options.maxNewTokens}};
}

Result<DecodingOptions> decodingOptionsFromJson(const Json &json)
{
    return decodeJson<DecodingOptions>(json, "decoding options", [](const Json &from) -> Result<DecodingOptions> {
        DecodingOptions options;
        Result<Remasking> strategy = remaskingFromString(from.at("strategy").get<std::string>());
        if (!strategy)
            return tl::unexpected(strategy.error());
        options.strategy = *strategy;
        from.at("block_length").get_to(options.blockLength);
        from.at("steps_per_block").get_to(options.stepsPerBlock);
        from.at("threshold").get_to(options.threshold);
        from.at("entropy_bound").get_to(options.entropyBound);
        from.at("temperature").get_to(options.temperature);
        from.at("top_k").get_to(options.topK);
        from.at("top_p").get_to(options.topP);
        from.at("seed").get_to(options.seed);
        from.at("max_new_tokens").get_to(options.maxNewTokens);
        return options;
    });
}

} // namespace dice
