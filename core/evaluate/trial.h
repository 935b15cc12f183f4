// One case before the judge: both sessions, what has been seen so far, and a single compared call, on which trials and
// detectors alike are built.
#pragma once

#include "core/data/verdict.h"
#include "core/evaluate/candidatesession.h"
#include "core/evaluate/comparison.h"
#include "core/evaluate/precisionevidence.h"
#include "core/evaluate/referencesession.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dice::evaluate {

// What decides a case before its honesty is looked at.
struct Ending
{
    VerdictWord word = VerdictWord::RuntimeError;
    std::string reason;
    int line = 0;
};

struct CaseUnderTest
{
    ReferenceSession reference;
    CandidateSession candidate;
    std::string candidateText{};
    double tolerance = 0.0;
    CancelToken cancel{};

    ScalingPlan plan{};
    std::map<std::string, int> firstLines{}; // of the sources in the candidate's file
    std::vector<OperationCount> referenceOperations{}; // of one call
    std::vector<OperationCount> candidateOperations{};
    std::vector<Observation> observations{}; // of all calls so far, each once
    PrecisionEvidence precision{};
    std::int64_t numCalls = 0;
    std::int64_t numCallsWithoutLaunch = 0;
    double slowestCallSeconds = 0.0;
    std::map<std::string, LaunchRecord> launches{};
    bool changedLater = false;
};

struct ComparedCall
{
    std::optional<Ending> ending; // the candidate failed
    Comparison comparison; // else
    CallValues expected;
    CandidateCall call;
};

// Expected outputs first, then the candidate's. An error is the reference's or our own, never the candidate's.
Result<ComparedCall> compareCall(CaseUnderTest &subject, const CallValues &inputs, const ForwardOptions &options);

// The word for a candidate's failure to answer.
Ending endingOf(const TextFailure &failed);
template <typename T> Result<Ending> endingOf(const Outcome<T> &failed);
Result<Ending> endingOf(const std::optional<TextFailure> &text, const std::optional<Error> &worker);

// The sentence for a failure of the task itself.
Error referenceError(const std::optional<TextFailure> &text, const std::optional<Error> &worker);

template <typename T> Result<Ending> endingOf(const Outcome<T> &failed)
{
    return endingOf(failed.textFailure, failed.workerFailure);
}
template <typename T> Error referenceError(const Outcome<T> &failed)
{
    return referenceError(failed.textFailure, failed.workerFailure);
}

} // namespace dice::evaluate
