// From logits to the distribution that a token is drawn from: temperature, top-k, top-p in the order and with the
// edge rules of four published samplers. Knows no tensor.
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <vector>

namespace dice::engine {

enum class LogitsVariant {
    Sdar, // SDAR generate.py: top-k (ties stay), then top-p: drop what has more than p before it
    Scheduler, // DICE jetengine: top-k (ties stay), softmax, the smallest set that reaches p, renormalised
    Dream, // dLLM-RL dream: top-p first, then top-k
    Transformers, // 4.52 warpers: top-k, then drop the tail whose mass is at most 1 - p
};

const char *toString(LogitsVariant variant);
Result<LogitsVariant> logitsVariantFromString(const std::string &name);

struct LogitsSettings
{
    LogitsVariant variant = LogitsVariant::Scheduler;
    double temperature = 1.0; // above 0
    int topK = 0; // 0 = off
    double topP = 1.0; // 1 = off

    bool isPlainSoftmax() const { return temperature == 1.0 && topK <= 0 && topP >= 1.0; }
};

// Probabilities, one for each logit; removed tokens have exactly 0. The best token always stays.
std::vector<float> processLogits(std::span<const float> logits, const LogitsSettings &settings);

} // namespace dice::engine
