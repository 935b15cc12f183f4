// The words that the judge and a worker exchange, as typed calls. docs/protocols.md lists the requests; a reply of
// the Python roles is either what is asked for or {"error": TextFailure}.
#pragma once

#include "core/data/json.h"
#include "core/evaluate/boxpool.h"
#include "core/evaluate/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dice::evaluate {

// A text (task or candidate) that could not be run, in its worker's words.
struct TextFailure
{
    std::string code; // "syntax", "build_failed", "no_class", "forward_raises", "needs_gpu", ...
    std::string message;
    std::string detail;
    int line = 0;
};

// What came of one call: an answer, the text's own failure, or the worker's end (Timeout, ProcessFailed, Cancelled).
template <typename T> struct Outcome
{
    std::optional<T> answer;
    std::optional<TextFailure> textFailure;
    std::optional<Error> workerFailure;

    explicit operator bool() const { return answer.has_value(); }
    const T &operator*() const { return *answer; }
    T &operator*() { return *answer; }
    const T *operator->() const { return &*answer; }

    template <typename U> Outcome<U> failureAs() const { return {std::nullopt, textFailure, workerFailure}; }
    std::string failureText() const
    {
        return textFailure ? textFailure->message : workerFailure ? workerFailure->message : "";
    }
};

struct OperationCount
{
    std::string name;
    std::int64_t calls = 0;
    std::int64_t elementsIn = 0;
    std::int64_t elementsOut = 0;
};

struct Observation
{
    std::string check; // "MUT", "SEAL", ...
    std::string what;
    std::string detail;
};

struct LaunchSeen
{
    std::string kernel;
    std::int64_t threads = 0;
    std::int64_t durationNs = 0;
};

struct DeviceFaultSeen
{
    std::string kind;
    std::string message;
    std::string source;
    int line = 0;
};

// Everything one call of the candidate's forward gave.
struct CandidateCall
{
    std::optional<CallValues> values; // none when the text failed
    bool changedLater = false; // a look some milliseconds later found other content
    std::vector<Observation> observations;
    std::vector<OperationCount> operations;
    std::vector<LaunchSeen> launches;
    std::int64_t numLaunches = 0;
    std::vector<DeviceFaultSeen> faults;
    std::optional<TextFailure> error;
    double seconds = 0.0; // by the judge's clock, messages included
};

// What re-randomised weights in place changed. Models whose layouts are equal hold equal weights afterwards.
struct WeightChange
{
    std::int64_t numChanged = 0; // parameters and buffers
    std::string layout; // kinds and shapes in order, to be compared as text
};

WeightChange weightChangeOf(const Json &reply); // throws what Json throws

std::optional<TextFailure> textFailureOf(const Json &reply);
std::vector<OperationCount> operationsOf(const Json &reply);

// Reads a reply to candidate.forward; InvalidData when it is none.
Result<CandidateCall> candidateCallOf(const Json &reply, std::span<const std::byte> arena);

} // namespace dice::evaluate
