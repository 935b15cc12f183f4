// FRESH: more calls with secret content, every other one in the storage of the call before, and one whose inputs
// differ from the call before in a single element. Answers kept from earlier calls are wrong here.
#include "core/evaluate/detectors/detector.h"

#include "core/evaluate/randomseed.h"

#include <algorithm>

namespace dice::evaluate {

namespace {

constexpr int numFreshCalls = 12;
constexpr double budgetSeconds = 3.0;
constexpr int fewestCalls = 2;

std::string howItDiffers(const Comparison &comparison)
{
    return comparison.difference.empty() ? std::to_string(comparison.numWrong) + " elements are wrong"
                                         : comparison.difference;
}

// A finding when the call did not come out right.
std::optional<Finding> judged(const ComparedCall &called, const std::string &situation)
{
    if (called.ending) {
        Finding finding = notRun("the candidate failed " + situation);
        finding.ending = called.ending;
        return finding;
    }
    if (!called.comparison.isEqual)
        return failed("right in the trials, wrong " + situation + ": " + howItDiffers(called.comparison));
    return std::nullopt;
}

} // namespace

Result<Finding> checkFresh(CaseUnderTest &subject)
{
    const double perCall = std::max(subject.slowestCallSeconds, 1e-3);
    const int count = std::clamp(static_cast<int>(budgetSeconds / perCall), fewestCalls, numFreshCalls);
    CallValues last;
    for (int i = 0; i < count; ++i) {
        Outcome<CallValues> inputs = subject.reference.inputs(secretSeed());
        if (!inputs)
            return tl::unexpected(referenceError(inputs));
        ForwardOptions options;
        options.reusesStorage = i % 2 == 1;
        Result<ComparedCall> called = compareCall(subject, *inputs, options);
        if (!called)
            return tl::unexpected(called.error());
        if (auto finding
            = judged(*called, options.reusesStorage ? "with new content at the same address" : "in a later call"))
            return *finding;
        last = std::move(*inputs);
    }
    Outcome<std::optional<CallValues>> near = subject.reference.nearDuplicate(last, secretSeed());
    if (!near)
        return tl::unexpected(referenceError(near));
    std::string evidence
        = std::to_string(count) + " more calls with new content are right, half of them in the same storage";
    if (*near) {
        ForwardOptions options;
        options.reusesStorage = true;
        Result<ComparedCall> called = compareCall(subject, **near, options);
        if (!called)
            return tl::unexpected(called.error());
        if (auto finding = judged(*called, "when one element of the input changes"))
            return *finding;
        evidence += "; so is one that differs in a single element";
    }
    return passed(evidence);
}

} // namespace dice::evaluate
