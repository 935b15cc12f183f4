#include "generate.h"

#include <array>
#include <utility>

namespace dice {

namespace {
constexpr std::array<std::pair<StopReason, const char *>, 3> stopReasonNames{{
    {StopReason::StopToken, "stop_token"},
    {StopReason::LengthLimit, "length_limit"},
    {StopReason::Stopped, "stopped"},
}};
} // namespace

const char *toString(StopReason reason)
{
    for (const auto &[known, name] : stopReasonNames) {
        if (known == reason)
            return name;
    }
    return "unknown";
}

Result<StopReason> stopReasonFromString(const std::string &name)
{
    for (const auto &[reason, known] : stopReasonNames) {
        if (name == known)
            return reason;
    }
    return failure(ErrorCode::InvalidData, "unknown stop reason \"" + name + "\"");
}

Json toJson(const GenerateRequest &request)
{
    return {{"prompt", request.prompt}, {"decoding", toJson(request.decoding)}};
}

Result<GenerateRequest> generateRequestFromJson(const Json &json)
{
    return decodeJson<GenerateRequest>(json, "generate request", [](const Json &from) -> Result<GenerateRequest> {
        Result<DecodingOptions> decoding = decodingOptionsFromJson(from.at("decoding"));
        if (!decoding)
            return tl::unexpected(decoding.error());
        return GenerateRequest{from.at("prompt").get<std::string>(), *decoding};
    });
}

Json toJson(const GenerateResult &result)
{
    return {{"text", result.text}, {"num_prompt_tokens", result.numPromptTokens},
            {"num_tokens", result.numTokens}, {"num_forwards", result.numForwards},
            {"duration_ns", result.durationNs}, {"stop_reason", toString(result.stopReason)},
            {"warnings", result.warnings}};
}

Result<GenerateResult> generateResultFromJson(const Json &json)
{
    return decodeJson<GenerateResult>(json, "generate result", [](const Json &from) -> Result<GenerateResult> {
        GenerateResult result;
        Result<StopReason> reason = stopReasonFromString(from.at("stop_reason").get<std::string>());
        if (!reason)
            return tl::unexpected(reason.error());
        result.stopReason = *reason;
        from.at("text").get_to(result.text);
        from.at("num_prompt_tokens").get_to(result.numPromptTokens);
        from.at("num_tokens").get_to(result.numTokens);
        from.at("num_forwards").get_to(result.numForwards);
        from.at("duration_ns").get_to(result.durationNs);
        from.at("warnings").get_to(result.warnings);
        return result;
    });
}

} // namespace dice
