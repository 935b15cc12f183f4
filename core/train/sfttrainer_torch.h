// The loop of a supervised training: data from the queue, passes, update, evaluation, metrics, checkpoints.
#pragma once

#include "core/base/canceltoken.h"
#include "core/formats/hfconfig.h"
#include "core/store/jsonlines.h"
#include "core/store/runfolder.h"
#include "core/train/batchlayout_torch.h"
#include "core/train/checkpoint_torch.h"
#include "core/train/stepdata.h"
#include "core/train/trainer.h"

#include <torch/torch.h>

#include <chrono>
#include <filesystem>
#include <vector>

namespace dice::train {

// What a training stands on, once folders and configuration are read.
struct SftSetup
{
    TrainConfig config;
    formats::ModelConfig model;
    std::filesystem::path tokenizerFolder;
    store::RunFolder run;
    at::Device device;
};

class SftTrainer
{
public:
    // `makers`: one for each data thread, so that they do not wait for each other over a tokenizer's cache.
    SftTrainer(SftSetup setup, const PairSource &source, const std::vector<DocumentMaker> &makers);

    // Weights of a model folder, with a fresh optimizer.
    Status startFrom(const formats::Weights &weights);
    // The last whole checkpoint of the run.
    Status resume();

    Result<TrainSummary> train(const StepCallback &onStep, const CancelToken &cancel);

private:
    struct StepSums
    {
        double loss = 0.0; // nats an answer token
        double gradientNorm = 0.0;
    };
    struct Evaluation
    {
        double loss = 0.0;
        double accuracy = 0.0;
    };

    StepPlan plan() const;
    TrainingBatch layOutOnDevice(const Pass &pass) const;
    StepSums update(const StepData &data, double learningRate);
    Evaluation evaluate(const StepData &heldOut);
    TrainStep describe(const StepSums &sums, double learningRate) const;
    double secondsLeft() const;
    Result<std::filesystem::path> saveCheckpoint();

    SftSetup m_setup;
    const PairSource &m_source;
    const std::vector<DocumentMaker> &m_makers;
    FlatParameters m_parameters;
    FlatAdamW m_optimizer;
    TrainerCounters m_counters;
    std::chrono::steady_clock::time_point m_started;
    double m_secondsBefore = 0.0; // of resumed parts
    std::int64_t m_positionsBefore = 0;
};

} // namespace dice::train
