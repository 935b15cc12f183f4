// One generation: what is asked of the engine and what it answers. The steps between are CanvasStep.
#pragma once

#include "core/data/decodingoptions.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dice {

struct GenerateRequest
{
    std::string prompt; // the user message: the normalised module; the engine applies the chat template
    DecodingOptions decoding;

    bool operator==(const GenerateRequest &) const = default;
};

enum class StopReason { StopToken, LengthLimit, Stopped };

const char *toString(StopReason reason);
Result<StopReason> stopReasonFromString(const std::string &name);

struct GenerateResult
{
    std::string text;
    int numPromptTokens = 0;
    int numTokens = 0;   // of the answer, stop token excluded
    int numForwards = 0; // prefill, denoising and storing passes
    std::int64_t durationNs = 0;
    StopReason stopReason = StopReason::StopToken;
    std::vector<std::string> warnings;

    bool operator==(const GenerateResult &) const = default;
};

Json toJson(const GenerateRequest &request);
Result<GenerateRequest> generateRequestFromJson(const Json &json);
Json toJson(const GenerateResult &result);
Result<GenerateResult> generateResultFromJson(const Json &json);

} // namespace dice
