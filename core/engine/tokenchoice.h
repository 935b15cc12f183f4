// Chooses the token of one masked position from its logits, with what the canvas shows about the choice:
// confidence, entropy, the best alternatives. Plain loops over one row; knows no tensor.
#pragma once

#include "core/base/ids.h"
#include "core/engine/logitsprocessing.h"
#include "core/engine/randomgenerator.h"

#include <array>
#include <span>

namespace dice::engine {

inline constexpr int maxAlternatives = 5;

struct TokenCandidate
{
    TokenId token;
    float probability = 0.0f; // softmax of the raw logits, temperature 1

    bool operator==(const TokenCandidate &) const = default;
};

struct TokenChoice
{
    TokenId token;
    float confidence = 0.0f; // probability of `token` in the processed distribution
    float entropy = 0.0f; // of the processed distribution, nats
    std::array<TokenCandidate, maxAlternatives> alternatives{}; // most probable first
    int numAlternatives = 0;

    bool operator==(const TokenChoice &) const = default;
};

enum class Sampling { Greedy, Random };

struct TokenChooser
{
    Sampling sampling = Sampling::Greedy;
    LogitsSettings logits; // with Greedy the temperature is 1: the limit of the published sampler
    TokenId maskToken; // never chosen, though its probability counts in the softmax

    // One random number a call with Sampling::Random, none with Greedy.
    TokenChoice choose(std::span<const float> logitsRow, RandomGenerator &random) const;
};

} // namespace dice::engine
