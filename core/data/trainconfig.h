// A supervised training as the user asks for it (config.json of a run), and what it reports while it runs.
#pragma once

#include "core/data/json.h"

#include <cstdint>
#include <string>

namespace dice {

// Shape of a model made from nothing; ignored when training goes on from a folder.
struct ModelShape
{
    int numLayers = 8;
    int hiddenSize = 320;
    int numHeads = 5;
    int numKvHeads = 5;
    int headDim = 64;
    int intermediateSize = 896;
    int blockLength = 8; // tokens
    double ropeTheta = 1e4;

    bool operator==(const ModelShape &) const = default;
};

struct TrainConfig
{
    ModelShape model;
    std::string tokenizerFolder; // as `dice data synth` writes it; needed unless initialFolder is given
    std::string initialFolder; // a model folder to go on from, with a fresh optimizer; empty = random weights
    std::string device = "auto"; // "auto", "cpu", "cuda:N"
    std::uint64_t seed = 1;

    // The training ends with whichever budget is used up first. A position is a clean or a noisy token of a row.
    std::int64_t maxPositions = 1'500'000'000;
    double maxSeconds = 0; // of training, resumed parts added up; 0 = no limit

    std::int64_t positionsPerStep = 131'072;
    std::int64_t positionsPerPass = 32'768; // of one forward and backward; a step takes several
    int maxDocumentTokens = 2'048; // longer documents are left out

    double learningRate = 2e-3;
    int warmupSteps = 200;
    double decayShare = 0.5; // of the budget, at its end: linear decay to 0
    double weightDecay = 0.1;
    double maxGradientNorm = 1.0;

    int numWorkers = 0; // threads that make documents; 0 = one less than there are cores
    int evaluateEverySteps = 500;
    int numHeldOutDocuments = 256;
    int checkpointEverySteps = 2'000;

    bool operator==(const TrainConfig &) const = default;
};

// InvalidArgument with a sentence that names the field.
Status validate(const TrainConfig &config);

// A line of metrics.jsonl. Absent numbers are NaN, null in JSON.
struct TrainStep
{
    std::int64_t step = 0; // 1-based
    std::int64_t positions = 0; // since the start of the run
    double loss = 0.0; // nats an answer token
    double heldOutLoss = 0.0; // NaN in steps without an evaluation
    double heldOutAccuracy = 0.0; // share of masked tokens whose best guess is right; NaN likewise
    double learningRate = 0.0;
    double gradientNorm = 0.0; // before clipping
    double positionsPerSecond = 0.0;
    double elapsedSeconds = 0.0;
    double secondsLeft = 0.0;
};

struct TrainSummary
{
    std::int64_t steps = 0;
    std::int64_t positions = 0;
    double loss = 0.0;
    double elapsedSeconds = 0.0;
    std::string checkpoint; // folder of the last one
    bool isStopped = false; // by the user, before its budget was used up

    bool operator==(const TrainSummary &) const = default;
};

Json toJson(const TrainConfig &config);
// Fields that are absent keep their defaults: the file is written by hand. Unknown ones are an error that names them.
Result<TrainConfig> trainConfigFromJson(const Json &json);
Json toJson(const TrainStep &step);
Result<TrainStep> trainStepFromJson(const Json &json);
Json toJson(const TrainSummary &summary);
Result<TrainSummary> trainSummaryFromJson(const Json &json);

} // namespace dice
