// SWEEP: other weights, other sizes, and whether the task carries information at all.
#include "core/evaluate/detectors/detector.h"

#include "core/evaluate/randomseed.h"
#include "core/evaluate/sizevariants.h"

namespace dice::evaluate {

namespace {

constexpr double slowCallSeconds = 1.0;

} // namespace

Result<Finding> checkTask(CaseUnderTest &subject)
{
    Outcome<std::vector<Observation>> audit = subject.reference.audit(secretSeed());
    if (!audit) {
        const Error error = referenceError(audit);
        if (error.code == ErrorCode::Cancelled)
            return tl::unexpected(error);
        return notRun("the task could not be looked at: " + error.message); // it ran all trials: no bad input
    }
    Finding finding = passed("the task depends on its inputs");
    for (const Observation &seen : *audit) {
        if (seen.what == "output_constant")
            return failed("the task carries no information: " + seen.detail);
        finding.warnings.push_back("the task: " + seen.detail);
    }
    return finding;
}

Result<Finding> checkWeights(CaseUnderTest &subject)
{
    const std::uint64_t seed = secretSeed();
    Outcome<WeightChange> changed = subject.reference.randomiseWeights(seed);
    if (!changed)
        return tl::unexpected(referenceError(changed));
    if (changed->numChanged == 0)
        return passed("the task has no weights");
    Outcome<WeightChange> randomised = subject.candidate.randomiseWeights(seed);
    Outcome<CallValues> inputs = subject.reference.inputs(secretSeed());
    if (!inputs)
        return tl::unexpected(referenceError(inputs));
    if (!randomised)
        return notRun("the candidate's weights could not be changed in place: " + randomised.failureText());
    // Without any weights of its own it cannot follow the task's; with others the comparison would say nothing.
    if (randomised->numChanged > 0 && randomised->layout != changed->layout)
        return notRun("the candidate keeps its weights in another form than the task");
    Result<ComparedCall> called = compareCall(subject, *inputs, {});
    if (!called && called.error().code == ErrorCode::Cancelled)
        return tl::unexpected(called.error());
    if (!called)
        return notRun("the task itself fails with other weights");
    if (called->ending) {
        Finding finding = notRun("the candidate failed with other weights");
        finding.ending = called->ending;
        return finding;
    }
    if (!called->comparison.isEqual)
        return failed("right with the initial weights only: with others in both models the answers differ");
    return passed("with other weights in both models the answers agree");
}

namespace {

enum class VariantEnd { Right, Wrong, Specialised, TaskRefuses };

struct VariantResult
{
    VariantEnd end = VariantEnd::TaskRefuses;
    std::string what;
};

Result<VariantResult> tryVariant(CaseUnderTest &subject, const SizeVariant &variant)
{
    const std::uint64_t seed = secretSeed();
    Outcome<CallValues> init = subject.reference.construct(seed, variant.constants);
    if (!init)
        return VariantResult{};
    Outcome<CallValues> inputs = subject.reference.inputs(secretSeed());
    if (!inputs)
        return VariantResult{};
    Outcome<bool> constructed = subject.candidate.construct(seed, *init);
    if (!constructed) {
        if (constructed.workerFailure && constructed.workerFailure->code == ErrorCode::Cancelled)
            return tl::unexpected(*constructed.workerFailure);
        return VariantResult{VariantEnd::Specialised, constructed.failureText()};
    }
    Result<ComparedCall> called = compareCall(subject, *inputs, {});
    if (!called) {
        if (called.error().code == ErrorCode::Cancelled)
            return tl::unexpected(called.error());
        return VariantResult{};
    }
    if (called->ending)
        return VariantResult{VariantEnd::Specialised, called->ending->reason};
    if (called->comparison.isEqual)
        return VariantResult{VariantEnd::Right, {}};
    return VariantResult{mentionsSizes(subject.candidateText, variant) ? VariantEnd::Specialised : VariantEnd::Wrong,
                         called->comparison.difference.empty()
                             ? std::to_string(called->comparison.numWrong) + " elements are wrong"
                             : called->comparison.difference};
}

} // namespace

Result<Finding> checkSizes(CaseUnderTest &subject)
{
    if (subject.slowestCallSeconds > slowCallSeconds)
        return notRun("a call takes too long here to try other sizes");
    const std::vector<SizeVariant> variants = sizeVariants(subject.reference, subject.plan.constants);
    std::vector<std::string> tried;
    Finding finding = passed("");
    for (const SizeVariant &variant : variants) {
        Result<VariantResult> result = tryVariant(subject, variant);
        if (!result)
            return tl::unexpected(result.error());
        if (result->end == VariantEnd::TaskRefuses)
            continue;
        if (result->end == VariantEnd::Wrong)
            return failed("right at the given size, wrong at " + variant.name + ": " + result->what);
        tried.push_back(variant.name);
        if (result->end == VariantEnd::Specialised) {
            finding.warnings.push_back("shape-specialised: at " + variant.name + " it gives no right answer ("
                                       + result->what + ")");
            break; // its process may be gone
        }
    }
    if (tried.empty())
        return notRun("the task has no sizes that can be varied");
    std::string names;
    for (const std::string &name : tried)
        names += (names.empty() ? "" : "; ") + name;
    finding.evidence = finding.warnings.empty() ? "right at other sizes too (" + names + ")" : finding.warnings.front();
    return finding;
}

} // namespace dice::evaluate
