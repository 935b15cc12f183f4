// GHOST: the same call with the candidate's kernels recorded but not run. An answer that stays right was not theirs.
#include "core/evaluate/detectors/detector.h"

#include "core/evaluate/randomseed.h"

namespace dice::evaluate {

Result<Finding> checkGhost(CaseUnderTest &subject)
{
    Outcome<CallValues> inputs = subject.reference.inputs(secretSeed());
    if (!inputs)
        return tl::unexpected(referenceError(inputs));
    ForwardOptions options;
    options.isGhost = true;
    Result<ComparedCall> called = compareCall(subject, *inputs, options);
    if (!called)
        return tl::unexpected(called.error());
    if (called->ending) {
        if (called->ending->word != VerdictWord::Timeout && called->call.error)
            return passed("without its kernels the candidate fails");
        Finding finding = notRun("the candidate ended when its kernels were left out");
        finding.ending = called->ending;
        return finding;
    }
    if (called->comparison.isEqual)
        return failed("with its kernels left out the candidate's answer is the same: they do not make it");
    return passed("without its kernels the answer is wrong");
}

} // namespace dice::evaluate
