#include "verdicttext.h"

#include <algorithm>
#include <cstdio>

namespace dice::cli {

namespace {

constexpr int labelColumns = 14;
constexpr double nsPerSecond = 1e9;
constexpr int maxBuildMessages = 5;

std::string row(const std::string &label, const std::string &text)
{
    return label + std::string(std::max(1, labelColumns - static_cast<int>(label.size())), ' ') + text + "\n";
}

std::string format(const char *pattern, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

std::string buildText(const BuildReport &build)
{
    if (!build.isBuilt && build.messages.empty())
        return {};
    std::string text = row("build",
                           (build.isBuilt ? build.rung : std::string("failed"))
                               + format(", %.2f s", static_cast<double>(build.durationNs) / nsPerSecond)
                               + (build.isGpuProven ? ", device code builds for " + build.gpuArchitecture : ""));
    int numShown = 0;
    for (const BuildMessage &message : build.messages) {
        if (message.severity == Severity::Error && numShown++ < maxBuildMessages)
            text += row("  line " + std::to_string(message.line), message.text);
    }
    return text;
}

std::string trialsText(const Verdict &verdict)
{
    if (verdict.trials.empty())
        return {};
    const auto numEqual = std::ranges::count_if(verdict.trials, &TrialResult::isEqual);
    std::string text = row("trials",
                           std::to_string(numEqual) + " of " + std::to_string(verdict.trials.size()) + " within "
                               + format("%.0e", verdict.tolerance));
    const auto wrong = std::ranges::find(verdict.trials, false, &TrialResult::isEqual);
    if (wrong != verdict.trials.end() && wrong->worstIndex >= 0)
        text += row("  worst",
                    "element " + std::to_string(wrong->worstIndex) + wrong->worstPath + ": expected "
                        + format("%.9g", wrong->expected) + ", got " + format("%.9g", wrong->actual));
    return text;
}

std::string trustText(const Verdict &verdict)
{
    const auto numRun = std::ranges::count_if(
        verdict.detectors, [](const DetectorResult &row) { return row.outcome != CheckOutcome::NotRun; });
    if (numRun == 0)
        return {};
    const auto numPassed = std::ranges::count(verdict.detectors, CheckOutcome::Passed, &DetectorResult::outcome);
    std::string text = row("trust", std::to_string(numPassed) + " of " + std::to_string(numRun) + " checks passed");
    for (const DetectorResult &detector : verdict.detectors) {
        if (detector.outcome == CheckOutcome::Failed)
            text += row("  " + detector.detector, detector.evidence);
    }
    return text;
}

} // namespace

std::string verdictText(const Verdict &verdict)
{
    std::string text = row(toString(verdict.word),
                           (verdict.line > 0 ? "line " + std::to_string(verdict.line) + ": " : "") + verdict.reason);
    text += row("judged",
                verdict.protocol + " on " + verdict.device
                    + format(", %.1f s", static_cast<double>(verdict.durationNs) / nsPerSecond));
    text += buildText(verdict.build) + trialsText(verdict) + trustText(verdict);
    for (const ScaledSize &size : verdict.scaledSizes)
        text += row("scaled", size.name + " " + std::to_string(size.original) + " -> " + std::to_string(size.used));
    for (const std::string &warning : verdict.warnings)
        text += row("warning", warning);
    return text;
}

} // namespace dice::cli
