#include "requesthandlers.h"

#include "core/train/corpus/corpus.h"
#include "core/train/tokenizertraining.h"
#include "core/train/trainer.h"

#include <algorithm>
#include <filesystem>

namespace dice::engine {

namespace {

constexpr int maxTokenizerPairs = 20'000; // more change no merge

train::TrainingPair makePair(std::uint64_t seed)
{
    corpus::Pair pair = corpus::generatePair(seed);
    return {std::move(pair.module), std::move(pair.answer)};
}

struct SynthRequest
{
    std::filesystem::path folder;
    int count = 0;
    std::uint64_t seed = 0;
};

Result<SynthRequest> synthRequestFromJson(const Json &payload)
{
    return decodeJson<SynthRequest>(payload, "data.synth", [](const Json &from) -> Result<SynthRequest> {
        SynthRequest request{from.at("folder").get<std::string>(), from.at("count").get<int>(),
                             from.at("seed").get<std::uint64_t>()};
        if (request.count < 1)
            return failure(ErrorCode::InvalidArgument, "give a count of at least one pair");
        return request;
    });
}

// The pairs, and beside them the tokenizer of a model that learns from them.
Result<Json> synthesise(const Json &payload, const RequestContext &context)
{
    const Result<SynthRequest> request = synthRequestFromJson(payload);
    if (!request)
        return tl::unexpected(request.error());
    const auto report = [&](int numWritten) {
        context.sendEvent("progress", {{"done", numWritten}, {"total", request->count}});
        return !context.cancel.isCancelled();
    };
    if (const Status status = corpus::writeCorpus(request->folder, request->count, request->seed, {}, report); !status)
        return tl::unexpected(status.error());
    train::TokenizerTraining training;
    training.numPairs = std::min(request->count, maxTokenizerPairs);
    training.seed = request->seed;
    const std::filesystem::path tokenizer = request->folder / "tokenizer";
    if (const Status status = train::trainTokenizer(tokenizer, training, makePair); !status)
        return tl::unexpected(status.error());
    return Json{{"count", request->count}, {"folder", request->folder.string()}, {"tokenizer", tokenizer.string()}};
}

Result<train::SftRun> sftRunFromJson(const Json &payload)
{
    return decodeJson<train::SftRun>(payload, "train.sft", [](const Json &from) -> Result<train::SftRun> {
        train::SftRun run;
        run.folder = from.at("run_folder").get<std::string>();
        run.start = from.at("resume").get<bool>() ? train::RunStart::Resume : train::RunStart::New;
        if (run.start == train::RunStart::Resume)
            return run; // the run's own configuration counts
        Result<TrainConfig> config = trainConfigFromJson(from.at("config"));
        if (!config)
            return tl::unexpected(config.error());
        run.config = std::move(*config);
        return run;
    });
}

Result<Json> trainSft(const Json &payload, const RequestContext &context)
{
    const Result<train::SftRun> run = sftRunFromJson(payload);
    if (!run)
        return tl::unexpected(run.error());
    const auto onStep = [&](const TrainStep &step) { context.sendEvent("train.step", toJson(step)); };
    const Result<TrainSummary> summary = train::trainSft(*run, makePair, onStep, context.cancel);
    if (!summary)
        return tl::unexpected(summary.error());
    return toJson(*summary);
}

} // namespace

void addTrainingHandlers(HandlerTable &table)
{
    table["data.synth"]
        = [](const Json &payload, const RequestContext &context) { return synthesise(payload, context); };
    table["train.sft"] = [](const Json &payload, const RequestContext &context) { return trainSft(payload, context); };
}

} // namespace dice::engine
