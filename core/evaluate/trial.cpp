#include "core/evaluate/trial.h"

#include <algorithm>

namespace dice::evaluate {

namespace {

// Lines of a device fault count from its source's begin; the user's count from the file's.
Ending endingOf(const DeviceFaultSeen &fault, const std::map<std::string, int> &firstLines)
{
    Ending ending;
    ending.word = fault.kind == "unsupported" ? VerdictWord::NeedsGpu : VerdictWord::RuntimeError;
    ending.reason = fault.message;
    const auto found = firstLines.find(fault.source);
    if (found != firstLines.end() && found->second > 0 && fault.line > 0)
        ending.line = found->second + fault.line - 1;
    return ending;
}

void noteCall(CaseUnderTest &subject, const CandidateCall &call)
{
    ++subject.numCalls;
    if (call.numLaunches == 0)
        ++subject.numCallsWithoutLaunch;
    subject.slowestCallSeconds = std::max(subject.slowestCallSeconds, call.seconds);
    subject.changedLater = subject.changedLater || call.changedLater;
    for (const LaunchSeen &launch : call.launches) {
        LaunchRecord &record = subject.launches[launch.kernel];
        record.kernel = launch.kernel;
        ++record.count;
        record.durationNs += launch.durationNs;
    }
    for (const Observation &seen : call.observations) {
        const bool isKnown
            = std::any_of(subject.observations.begin(), subject.observations.end(),
                          [&](const Observation &o) { return o.check == seen.check && o.what == seen.what; });
        if (!isKnown)
            subject.observations.push_back(seen);
    }
}

} // namespace

Ending endingOf(const TextFailure &failed)
{
    Ending ending{VerdictWord::RuntimeError, failed.message, failed.line};
    if (failed.code == "syntax" || failed.code == "build_failed" || failed.code == "no_class")
        ending.word = VerdictWord::CompileError;
    else if (failed.code == "needs_gpu")
        ending.word = VerdictWord::NeedsGpu;
    return ending;
}

Result<Ending> endingOf(const std::optional<TextFailure> &text, const std::optional<Error> &worker)
{
    if (text)
        return endingOf(*text);
    if (worker && worker->code == ErrorCode::Cancelled)
        return tl::unexpected(*worker);
    const std::string what = worker ? worker->message : "it gave no answer";
    if (worker && worker->code == ErrorCode::Timeout)
        return Ending{VerdictWord::Timeout, "the candidate did not answer in time: " + what, 0};
    if (worker && worker->code == ErrorCode::InvalidData) // its own prints go elsewhere: this is meant for the judge
        return Ending{VerdictWord::Rejected, "BOX: the candidate forged messages to the judge: " + what, 0};
    return Ending{VerdictWord::RuntimeError, "the candidate's process failed: " + what, 0};
}

Error referenceError(const std::optional<TextFailure> &text, const std::optional<Error> &worker)
{
    if (text)
        return makeError(ErrorCode::InvalidArgument, "the PyTorch module cannot be run: " + text->message,
                         text->detail);
    if (worker && worker->code == ErrorCode::Cancelled)
        return *worker;
    const std::string what = worker ? worker->message : "no answer";
    return makeError(ErrorCode::InvalidArgument, "the PyTorch module's process failed: " + what,
                     worker ? worker->detail : "");
}

Result<ComparedCall> compareCall(CaseUnderTest &subject, const CallValues &inputs, const ForwardOptions &options)
{
    Outcome<ExpectedOutput> expected = subject.reference.forward(inputs);
    if (!expected)
        return tl::unexpected(referenceError(expected));
    if (subject.referenceOperations.empty())
        subject.referenceOperations = expected->operations;
    ComparedCall compared;
    Outcome<CandidateCall> answered = subject.candidate.forward(inputs, options);
    if (!answered) {
        Result<Ending> ending = endingOf(answered);
        if (!ending)
            return tl::unexpected(ending.error());
        compared.ending = std::move(*ending);
        return compared;
    }
    if (!options.isGhost)
        noteCall(subject, *answered);
    compared.call = std::move(*answered);
    if (!compared.call.faults.empty())
        compared.ending = endingOf(compared.call.faults.front(), subject.firstLines);
    else if (compared.call.error)
        compared.ending = endingOf(*compared.call.error);
    if (compared.ending)
        return compared;
    if (subject.candidateOperations.empty())
        subject.candidateOperations = compared.call.operations;
    compared.comparison = compare(expected->values, *compared.call.values, subject.tolerance);
    compared.expected = std::move(expected->values);
    return compared;
}

} // namespace dice::evaluate
