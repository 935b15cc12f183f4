// The judge's word on a candidate, with its evidence. Made by the evaluator alone.
#pragma once

#include "core/data/buildreport.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dice {

enum class VerdictWord {
    Correct,
    Incorrect,
    CompileError,
    RuntimeError,
    Timeout,
    Rejected,     // correct-looking but dishonest: names the detector
    NeedsGpu,     // uses what the CPU device cannot run
    HarnessError, // our fault; never a reward or a blame
};

const char *toString(VerdictWord word); // "compile_error"
Result<VerdictWord> verdictWordFromString(const std::string &name);

enum class CheckOutcome { Passed, Failed, NotRun };

// One row of the trust panel.
struct DetectorResult
{
    std::string detector; // "TRUTH", "FRESH", ... of the reliability notes
    CheckOutcome outcome = CheckOutcome::NotRun;
    std::string evidence; // one sentence

    bool operator==(const DetectorResult &) const = default;
};

struct TrialResult
{
    std::uint64_t seed = 0; // of the inputs
    bool isEqual = false;
    double worstError = 0.0;      // |out - ref| at the worst element
    std::int64_t worstIndex = -1; // flat index; -1 when no number was wrong
    std::string worstPath;        // which output: "", "[1]", "['loss']"
    double expected = 0.0;
    double actual = 0.0;

    bool operator==(const TrialResult &) const = default;
};

struct LaunchRecord
{
    std::string kernel;
    int count = 0;
    std::int64_t durationNs = 0; // all launches of it together

    bool operator==(const LaunchRecord &) const = default;
};

struct ScaledSize
{
    std::string name; // the constant, as the module calls it
    std::int64_t original = 0;
    std::int64_t used = 0;

    bool operator==(const ScaledSize &) const = default;
};

struct Verdict
{
    VerdictWord word = VerdictWord::HarnessError;
    std::string reason; // one sentence for the user
    int line = 0;       // of the candidate's file, when the reason has one; else 0
    std::string protocol; // "strict", "kernelbench", "kernelbench-v0"
    std::string device;   // "cpu", "cuda:0"
    double tolerance = 0.0;
    BuildReport build;
    std::vector<TrialResult> trials;
    std::vector<DetectorResult> detectors;
    std::vector<LaunchRecord> launches;
    std::vector<ScaledSize> scaledSizes; // not empty = labelled "scaled"
    std::vector<std::string> warnings;   // e.g. a sandbox layer that is missing here
    std::int64_t durationNs = 0;

    bool operator==(const Verdict &) const = default;
};

Json toJson(const Verdict &verdict);
Result<Verdict> verdictFromJson(const Json &json);

} // namespace dice
