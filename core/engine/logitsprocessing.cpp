#include "logitsprocessing.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace dice::engine {

namespace {

constexpr float removed = -std::numeric_limits<float>::infinity();

constexpr std::array<std::pair<LogitsVariant, const char *>, 4> variantNames{{
    {LogitsVariant::Sdar, "sdar"},
    {LogitsVariant::Scheduler, "scheduler"},
    {LogitsVariant::Dream, "dream"},
    {LogitsVariant::Transformers, "transformers"},
}};

std::vector<float> softmax(const std::vector<float> &logits)
{
    const float best = *std::max_element(logits.begin(), logits.end());
    std::vector<float> probabilities(logits.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        probabilities[i] = std::exp(logits[i] - best);
        sum += probabilities[i];
    }
    for (float &probability : probabilities)
        probability = static_cast<float>(probability / sum);
    return probabilities;
}

// Logits below the k-th best are removed; those equal to it stay.
void keepTopK(std::vector<float> &logits, int topK)
{
    const auto count = static_cast<std::size_t>(topK);
    if (topK <= 0 || count >= logits.size())
        return;
    std::vector<float> ordered = logits;
    std::nth_element(ordered.begin(), ordered.begin() + (topK - 1), ordered.end(), std::greater<>());
    const float cut = ordered[count - 1];
    std::replace_if(
        logits.begin(), logits.end(), [cut](float logit) { return logit < cut; }, removed);
}

// The indices that a top-p rule keeps are a prefix of this order.
std::vector<std::size_t> byProbability(const std::vector<float> &probabilities)
{
    std::vector<std::size_t> order(probabilities.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t left, std::size_t right) { return probabilities[left] > probabilities[right]; });
    return order;
}

// Number of tokens kept, by the mass before each (Transformers: by the mass from each to the end).
std::size_t nucleusSize(const std::vector<float> &probabilities, const std::vector<std::size_t> &order,
                        const LogitsSettings &settings)
{
    double before = 0.0;
    std::size_t kept = 0;
    for (const std::size_t index : order) {
        bool isKept = before <= settings.topP;
        if (settings.variant == LogitsVariant::Scheduler)
            isKept = before < settings.topP;
        else if (settings.variant == LogitsVariant::Transformers)
            isKept = 1.0 - before > 1.0 - settings.topP;
        if (kept > 0 && !isKept)
            break;
        before += probabilities[index];
        ++kept;
    }
    return kept;
}

void keepTopP(std::vector<float> &logits, const LogitsSettings &settings)
{
    if (settings.topP >= 1.0)
        return;
    const std::vector<float> probabilities = softmax(logits);
    const std::vector<std::size_t> order = byProbability(probabilities);
    for (std::size_t rank = nucleusSize(probabilities, order, settings); rank < order.size(); ++rank)
        logits[order[rank]] = removed;
}

} // namespace

const char *toString(LogitsVariant variant)
{
    for (const auto &[known, name] : variantNames) {
        if (known == variant)
            return name;
    }
    return "";
}

Result<LogitsVariant> logitsVariantFromString(const std::string &name)
{
    for (const auto &[variant, known] : variantNames) {
        if (name == known)
            return variant;
    }
    return failure(ErrorCode::InvalidArgument, "unknown logits variant '" + name + "'");
}

std::vector<float> processLogits(std::span<const float> logits, const LogitsSettings &settings)
{
    assert(!logits.empty() && settings.temperature > 0.0);
    std::vector<float> scaled(logits.begin(), logits.end());
    if (settings.temperature != 1.0) {
        const auto temperature = static_cast<float>(settings.temperature);
        for (float &logit : scaled)
            logit /= temperature;
    }
    if (settings.variant == LogitsVariant::Dream) {
        keepTopP(scaled, settings);
        keepTopK(scaled, settings.topK);
    } else {
        keepTopK(scaled, settings.topK);
        keepTopP(scaled, settings);
    }
    return softmax(scaled);
}

} // namespace dice::engine
