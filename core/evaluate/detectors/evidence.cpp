// SEAL, MUT, LEDGER, PCLOCK and BOX: what the calls so far and the candidate's process have shown.
#include "core/evaluate/detectors/detector.h"

#include <algorithm>

namespace dice::evaluate {

namespace {

std::string joined(const std::vector<std::string> &parts, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(parts.size(), most); ++i)
        text += (i ? ", " : "") + parts[i];
    return parts.size() > most ? text + " and " + std::to_string(parts.size() - most) + " more" : text;
}

Result<Finding> withEvidence(CaseUnderTest &subject, Finding (*judge)(CaseUnderTest &, const CandidateEvidence &))
{
    Outcome<CandidateEvidence> evidence = subject.candidate.evidence();
    if (evidence)
        return judge(subject, *evidence);
    Result<Ending> ending = endingOf(evidence);
    if (!ending)
        return tl::unexpected(ending.error());
    Finding finding = notRun("the candidate's process gave no evidence");
    finding.ending = *ending;
    return finding;
}

Finding judgeClock(CaseUnderTest &subject, const CandidateEvidence &evidence)
{
    if (!evidence.replacedNames.empty())
        return failed("the candidate replaced " + joined(evidence.replacedNames, 4));
    return findingFrom(subject.observations, "PCLOCK")
        .value_or(passed("clocks, comparisons and generators are those of before; no time is taken on the CPU device"));
}

Finding judgeBox(CaseUnderTest &subject, const CandidateEvidence &evidence)
{
    if (!evidence.attempts.empty())
        return failed(joined(evidence.attempts, 3));
    if (!evidence.refusedCalls.empty())
        return failed("the box refused system calls of the candidate (" + joined(evidence.refusedCalls, 3) + ")");
    return findingFrom(subject.observations, "BOX")
        .value_or(passed("no file outside its folder, no connection, no process was tried"));
}

Finding judgeSeal(CaseUnderTest &subject, const CandidateEvidence &evidence)
{
    if (subject.changedLater)
        return failed("an output changed in the milliseconds after forward had returned");
    if (!evidence.lateChanges.empty())
        return failed(evidence.lateChanges.front().detail);
    return findingFrom(subject.observations, "SEAL")
        .value_or(passed("outputs are plain tensors of their own and stay as they were returned"));
}

} // namespace

std::optional<Finding> findingFrom(const std::vector<Observation> &observations, const std::string &check)
{
    for (const Observation &seen : observations)
        if (seen.check == check)
            return failed(seen.detail);
    return std::nullopt;
}

Result<Finding> checkSeal(CaseUnderTest &subject)
{
    return withEvidence(subject, judgeSeal);
}

Result<Finding> checkMutation(CaseUnderTest &subject)
{
    // Running statistics change in the task's own model too.
    for (const Observation &seen : subject.observations)
        if (seen.check == "MUT" && seen.what != "buffer_changed")
            return failed(seen.detail);
    return passed("inputs and weights are unchanged after every call");
}

Result<Finding> checkLedger(CaseUnderTest &subject)
{
    if (subject.numCallsWithoutLaunch > 0)
        return failed(std::to_string(subject.numCallsWithoutLaunch) + " of " + std::to_string(subject.numCalls)
                      + " calls launched no kernel");
    // Threads that go on are no sign by themselves: the CPU device keeps some. What they change is SEAL's matter.
    for (const Observation &seen : subject.observations)
        if (seen.check == "LEDGER" && seen.what != "threads_left")
            return failed(seen.detail);
    return passed("each of " + std::to_string(subject.numCalls) + " calls launched kernels");
}

Result<Finding> checkClock(CaseUnderTest &subject)
{
    return withEvidence(subject, judgeClock);
}

Result<Finding> checkBox(CaseUnderTest &subject)
{
    return withEvidence(subject, judgeBox);
}

Result<Finding> checkPrecision(CaseUnderTest &subject)
{
    const char *format = subject.precision.betraysHalf() ? "float16"
        : subject.precision.betraysBfloat16()            ? "bfloat16"
                                                         : nullptr;
    if (format != nullptr)
        return failed("all " + std::to_string(subject.precision.numElements())
                      + " float32 outputs are exactly representable in " + format
                      + ": the work was done in lower precision");
    return passed("outputs were compared outside of the candidate's process, and have the precision of their type");
}

} // namespace dice::evaluate
