// The honesty checks: each looks at one way to be right without having done the work, and says what it saw.
// They run after the trials, on the same objects, in the order of honesty.cpp. A check may find that the candidate
// fails to answer at all: that ends the case.
#pragma once

#include "core/evaluate/trial.h"

namespace dice::evaluate {

struct Finding
{
    CheckOutcome outcome = CheckOutcome::NotRun;
    std::string evidence;
    std::optional<Ending> ending;
    std::vector<std::string> warnings;
};

inline Finding passed(std::string evidence)
{
    return {CheckOutcome::Passed, std::move(evidence), {}, {}};
}
inline Finding failed(std::string evidence)
{
    return {CheckOutcome::Failed, std::move(evidence), {}, {}};
}
inline Finding notRun(std::string evidence)
{
    return {CheckOutcome::NotRun, std::move(evidence), {}, {}};
}

// The first observation of a check, as a failed finding.
std::optional<Finding> findingFrom(const std::vector<Observation> &observations, const std::string &check);

Result<Finding> checkOrigin(CaseUnderTest &subject); // own kernels do a real part of the task
Result<Finding> checkGhost(CaseUnderTest &subject); // without them the answer is another
Result<Finding> checkFresh(CaseUnderTest &subject); // new content, also at the same address, gives new answers
Result<Finding> checkSeal(CaseUnderTest &subject); // outputs are final and plain when they are returned
Result<Finding> checkMutation(CaseUnderTest &subject); // inputs and weights are left alone
Result<Finding> checkLedger(CaseUnderTest &subject); // every call launches; nothing is computed on the host
Result<Finding> checkPrecision(CaseUnderTest &subject); // 32-bit outputs are not 16-bit ones
Result<Finding> checkWeights(CaseUnderTest &subject); // other weights give other answers
Result<Finding> checkTask(CaseUnderTest &subject); // the task depends on its inputs
Result<Finding> checkSizes(CaseUnderTest &subject); // other sizes are computed too; leaves other models behind
Result<Finding> checkClock(CaseUnderTest &subject); // names that measure and compare are those of before
Result<Finding> checkBox(CaseUnderTest &subject); // no way out of the box was tried

} // namespace dice::evaluate
