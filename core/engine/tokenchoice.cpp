#include "tokenchoice.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace dice::engine {

namespace {

// Insertion into a sorted list of five: most logits fail the first comparison.
void keepBest(TokenChoice &choice, TokenId token, float logit)
{
    int place = choice.numAlternatives;
    if (place == maxAlternatives) {
        if (logit <= choice.alternatives.back().probability)
            return;
        --place;
    } else {
        ++choice.numAlternatives;
    }
    auto &best = choice.alternatives;
    for (; place > 0 && best[static_cast<std::size_t>(place - 1)].probability < logit; --place)
        best[static_cast<std::size_t>(place)] = best[static_cast<std::size_t>(place - 1)];
    best[static_cast<std::size_t>(place)] = {token, logit};
}

void collectBest(TokenChoice &choice, std::span<const float> logits, TokenId maskToken)
{
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const TokenId token(static_cast<std::int32_t>(i));
        if (token != maskToken)
            keepBest(choice, token, logits[i]);
    }
}

// Fills confidence and entropy from the plain softmax and turns the alternatives' logits into probabilities.
void finishPlain(TokenChoice &choice, std::span<const float> logits)
{
    const float top = *std::max_element(logits.begin(), logits.end());
    float sum = 0.0f;
    float weighted = 0.0f;
    for (const float logit : logits) {
        const float shifted = logit - top;
        const float mass = std::exp(shifted);
        sum += mass;
        weighted += mass * shifted;
    }
    for (int i = 0; i < choice.numAlternatives; ++i) {
        float &value = choice.alternatives[static_cast<std::size_t>(i)].probability;
        value = std::exp(value - top) / sum;
    }
    choice.token = choice.alternatives.front().token;
    choice.confidence = choice.alternatives.front().probability;
    choice.entropy = std::max(0.0f, std::log(sum) - weighted / sum);
}

float entropyOf(const std::vector<float> &probabilities)
{
    double sum = 0.0;
    for (const float probability : probabilities) {
        if (probability > 0.0f)
            sum -= probability * std::log(std::max(probability, 1e-12f));
    }
    return static_cast<float>(std::max(sum, 0.0));
}

// Inverse of the cumulative distribution in token order, the mask token left out.
TokenId draw(const std::vector<float> &probabilities, TokenId maskToken, double uniform, TokenId fallback)
{
    const auto isDrawable = [&](std::size_t i) { return static_cast<std::int32_t>(i) != maskToken.value; };
    double total = 0.0;
    for (std::size_t i = 0; i < probabilities.size(); ++i)
        total += isDrawable(i) ? probabilities[i] : 0.0;
    const double target = uniform * total;
    double passed = 0.0;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        if (!isDrawable(i) || probabilities[i] <= 0.0f)
            continue;
        passed += probabilities[i];
        if (passed > target)
            return TokenId(static_cast<std::int32_t>(i));
    }
    return fallback; // only the mask token has mass left
}

} // namespace

TokenChoice TokenChooser::choose(std::span<const float> logitsRow, RandomGenerator &random) const
{
    assert(logitsRow.size() > 1);
    TokenChoice choice;
    collectBest(choice, logitsRow, maskToken);
    finishPlain(choice, logitsRow);
    if (sampling == Sampling::Greedy && logits.isPlainSoftmax())
        return choice;
    const std::vector<float> processed = processLogits(logitsRow, logits);
    if (sampling == Sampling::Random)
        choice.token = draw(processed, maskToken, random.uniform(), choice.token);
    choice.confidence = processed[static_cast<std::size_t>(choice.token.value)];
    choice.entropy = entropyOf(processed);
    return choice;
}

} // namespace dice::engine
