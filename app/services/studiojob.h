// One job of the Studio and what came of it: a kernel asked for, generated, judged. Plain values.
#pragma once

#include "core/data/generate.h"
#include "core/data/modelinfo.h"
#include "core/data/modulesource.h"
#include "core/data/verdict.h"
#include "core/data/verifyrequest.h"

#include <optional>
#include <string>
#include <vector>

namespace dice::services {

enum class Verification { Wanted, Skipped };

struct GenerateJob
{
    ModuleSource module;
    std::string modelFolder;
    std::string device = "auto"; // of the engine and of the judge: "auto", "cpu", "cuda:0"
    DecodingOptions decoding;
    int numAttempts = 1; // the first correct one ends the job
    Verification verification = Verification::Wanted;
    Protocol protocol = Protocol::Strict;
    int numTrials = 5;
};

struct Attempt
{
    GenerateRequest request;
    GenerateResult result;
    std::string kernel; // the file in the model's answer
    std::optional<Verdict> verdict;
};

struct JobOutcome
{
    PreparedModule module; // of a generate job
    ModelInfo model; // of a generate job
    std::vector<Attempt> attempts; // in order; of a verify job one, with its kernel and verdict
    bool isStopped = false; // ended by stop(): the last attempt may be half of one

    bool isCorrect() const;
    const Attempt *best() const; // the correct one, else the last; nullptr when there is none
};

// How attempt `index` is decoded. A greedy decoder gives the same kernel every time, so later attempts sample.
DecodingOptions decodingOfAttempt(const DecodingOptions &first, int index);

Json toJson(const JobOutcome &outcome);

} // namespace dice::services
