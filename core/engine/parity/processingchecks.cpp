#include "processingchecks.h"

#include "core/engine/logitsprocessing.h"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace dice::engine::parity {

namespace {

LogitsSettings settingsOf(const Json &item, LogitsVariant variant)
{
    return {variant, item.at("temperature").get<double>(), item.at("top_k").get<int>(), item.at("top_p").get<double>()};
}

Check checkVariant(const StoredTensors &stored, const Json &item, const std::string &variantName)
{
    const std::string caseName = item.at("name").get<std::string>();
    const std::string own = caseName + "." + variantName;
    const LogitsVariant variant = logitsVariantFromString(variantName).value();
    std::vector<float> actual
        = processLogits(stored.floats(item.at("logits").get<std::string>()), settingsOf(item, variant));
    // A variant that equals sdar is stored once.
    std::vector<float> expected = stored.floats(stored.contains(own) ? own : caseName + ".sdar");
    const auto numKept = std::count_if(actual.begin(), actual.end(), [](float value) { return value > 0.0f; });
    if (item.at("tie_at_cut").get<bool>()) {
        std::sort(actual.begin(), actual.end(), std::greater<>());
        std::sort(expected.begin(), expected.end(), std::greater<>());
    }
    const double difference = largestDifference(actual, expected);
    const bool isCountEqual = numKept == item.at("kept").at(variantName).get<std::int64_t>();
    char text[96];
    std::snprintf(text, sizeof text, "%td kept, largest difference %.2e", numKept, difference);
    return {own, isCountEqual && difference <= tolerance, text};
}

} // namespace

void checkLogitsProcessing(const StoredTensors &stored, const Json &document, Recorder &recorder)
{
    for (const Json &item : document.at("cases")) {
        for (const auto &[variantName, kept] : item.at("kept").items())
            recorder.add(checkVariant(stored, item, variantName));
    }
}

} // namespace dice::engine::parity
