// How a block-diffusion model unmasks: block length, strategy, sampling.
#pragma once

#include "core/data/json.h"

#include <cstdint>
#include <string>

namespace dice {

enum class Remasking { Sequential, LowConfidenceStatic, LowConfidenceDynamic, EntropyBounded };

const char *toString(Remasking strategy); // "low_confidence_dynamic"
Result<Remasking> remaskingFromString(const std::string &name);

struct DecodingOptions
{
    int blockLength = 0;   // tokens; 0 = the model's own
    int stepsPerBlock = 0; // denoising steps; 0 = one token a step at least (equal to blockLength)
    Remasking strategy = Remasking::LowConfidenceDynamic;
    double threshold = 0.9;    // probability, for LowConfidenceDynamic
    double entropyBound = 0.1; // nats, for EntropyBounded
    double temperature = 0.0;  // 0 = greedy
    int topK = 0;              // 0 = off
    double topP = 1.0;         // 1 = off
    std::uint64_t seed = 1234;
    int maxNewTokens = 2048;

    bool operator==(const DecodingOptions &) const = default;
};

// InvalidArgument with a sentence when a value is out of its range.
Status validate(const DecodingOptions &options);

Json toJson(const DecodingOptions &options);
Result<DecodingOptions> decodingOptionsFromJson(const Json &json);

} // namespace dice
