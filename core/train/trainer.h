// Supervised fine-tuning of a block-diffusion model on pairs made on the fly. Writes a run folder; knows neither
// processes nor frames, nor where the pairs come from.
#pragma once

#include "core/base/canceltoken.h"
#include "core/base/result.h"
#include "core/data/trainconfig.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace dice::train {

struct TrainingPair
{
    std::string prompt; // the user message
    std::string answer;
};

// Pure function of the seed; called from several threads at once.
using PairSource = std::function<TrainingPair(std::uint64_t seed)>;
using StepCallback = std::function<void(const TrainStep &)>;

enum class RunStart { New, Resume };

struct SftRun
{
    TrainConfig config; // with Resume: the config.json of the run is used instead
    std::filesystem::path folder;
    RunStart start = RunStart::New;
};

// Cancelling saves a checkpoint and returns a summary with isStopped. A resumed run goes on with the same numbers
// as one that was never stopped.
Result<TrainSummary> trainSft(const SftRun &run, const PairSource &source, const StepCallback &onStep,
                              const CancelToken &cancel);

} // namespace dice::train
