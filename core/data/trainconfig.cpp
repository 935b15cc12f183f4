#include "trainconfig.h"

#include <limits>
#include <set>

namespace dice {

namespace {

// Calls visit(key, member) for every field: the one list that both directions of the codec walk.
template <typename Shape, typename Visit> void visitShape(Shape &shape, Visit visit)
{
    visit("num_layers", shape.numLayers);
    visit("hidden_size", shape.hiddenSize);
    visit("num_heads", shape.numHeads);
    visit("num_kv_heads", shape.numKvHeads);
    visit("head_dim", shape.headDim);
    visit("intermediate_size", shape.intermediateSize);
    visit("block_length", shape.blockLength);
    visit("rope_theta", shape.ropeTheta);
}

template <typename Config, typename Visit> void visitConfig(Config &config, Visit visit)
{
    visit("tokenizer_folder", config.tokenizerFolder);
    visit("initial_folder", config.initialFolder);
    visit("device", config.device);
    visit("seed", config.seed);
    visit("max_positions", config.maxPositions);
    visit("max_seconds", config.maxSeconds);
    visit("positions_per_step", config.positionsPerStep);
    visit("positions_per_pass", config.positionsPerPass);
    visit("max_document_tokens", config.maxDocumentTokens);
    visit("learning_rate", config.learningRate);
    visit("warmup_steps", config.warmupSteps);
    visit("decay_share", config.decayShare);
    visit("weight_decay", config.weightDecay);
    visit("max_gradient_norm", config.maxGradientNorm);
    visit("num_workers", config.numWorkers);
    visit("evaluate_every_steps", config.evaluateEverySteps);
    visit("num_held_out_documents", config.numHeldOutDocuments);
    visit("checkpoint_every_steps", config.checkpointEverySteps);
}

template <typename Step, typename Visit> void visitStep(Step &step, Visit visit)
{
    visit("step", step.step);
    visit("positions", step.positions);
    visit("loss", step.loss);
    visit("held_out_loss", step.heldOutLoss);
    visit("held_out_accuracy", step.heldOutAccuracy);
    visit("learning_rate", step.learningRate);
    visit("gradient_norm", step.gradientNorm);
    visit("positions_per_second", step.positionsPerSecond);
    visit("elapsed_seconds", step.elapsedSeconds);
    visit("seconds_left", step.secondsLeft);
}

template <typename T> void read(const Json &json, T &member)
{
    json.get_to(member);
}

void read(const Json &json, double &member)
{
    member = json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

// Fills what is there, and names a key that no field has.
template <typename VisitAll>
Status readOptional(const Json &from, VisitAll visitAll, std::set<std::string> alsoKnown = {})
{
    visitAll([&](const char *key, auto &member) {
        alsoKnown.insert(key);
        if (from.contains(key))
            read(from.at(key), member);
    });
    for (const auto &[key, value] : from.items()) {
        if (!alsoKnown.contains(key))
            return failure(ErrorCode::InvalidArgument,
                           "training configuration: unknown field \"" + key + "\"; check its spelling");
    }
    return {};
}

} // namespace

Status validate(const TrainConfig &config)
{
    const auto refuse = [](const char *sentence) { return failure(ErrorCode::InvalidArgument, sentence); };
    const ModelShape &model = config.model;
    if (model.numLayers < 1 || model.hiddenSize < 1 || model.intermediateSize < 1 || model.numHeads < 1)
        return refuse(
            "training configuration: num_layers, hidden_size, intermediate_size and num_heads must be positive");
    if (model.numKvHeads < 1 || model.numHeads % model.numKvHeads != 0)
        return refuse("training configuration: num_kv_heads must divide num_heads");
    if (model.headDim < 2 || model.headDim % 2 != 0)
        return refuse("training configuration: head_dim must be even");
    if (model.blockLength < 1 || model.blockLength > 256)
        return refuse("training configuration: block_length must be between 1 and 256");
    if (config.tokenizerFolder.empty() && config.initialFolder.empty())
        return refuse(
            "training configuration: give tokenizer_folder (make one with `dice data synth`) or initial_folder");
    if (config.maxPositions < 1 || config.positionsPerStep < 1 || config.positionsPerPass < 1)
        return refuse(
            "training configuration: max_positions, positions_per_step and positions_per_pass must be positive");
    if (config.maxDocumentTokens < 2 * model.blockLength)
        return refuse("training configuration: max_document_tokens must hold at least two blocks");
    if (!(config.learningRate > 0) || !(config.maxSeconds >= 0) || config.warmupSteps < 0)
        return refuse(
            "training configuration: learning_rate must be positive, max_seconds and warmup_steps not negative");
    if (!(config.decayShare >= 0 && config.decayShare <= 1))
        return refuse("training configuration: decay_share must be between 0 and 1");
    if (config.evaluateEverySteps < 1 || config.checkpointEverySteps < 1 || config.numHeldOutDocuments < 1)
        return refuse("training configuration: evaluate_every_steps, checkpoint_every_steps and num_held_out_documents "
                      "must be positive");
    return {};
}

Json toJson(const TrainConfig &config)
{
    Json json;
    visitConfig(config, [&](const char *key, const auto &member) { json[key] = member; });
    Json &model = json["model"];
    visitShape(config.model, [&](const char *key, const auto &member) { model[key] = member; });
    return json;
}

Result<TrainConfig> trainConfigFromJson(const Json &json)
{
    return decodeJson<TrainConfig>(json, "training configuration", [](const Json &from) -> Result<TrainConfig> {
        TrainConfig config;
        const Status status = readOptional(from, [&](auto visit) { visitConfig(config, visit); }, {"model"});
        if (!status)
            return tl::unexpected(status.error());
        if (from.contains("model")) {
            const Status shape = readOptional(from.at("model"), [&](auto visit) { visitShape(config.model, visit); });
            if (!shape)
                return tl::unexpected(shape.error());
        }
        return config;
    });
}

Json toJson(const TrainStep &step)
{
    Json json;
    visitStep(step, [&](const char *key, const auto &member) { json[key] = member; });
    return json;
}

Result<TrainStep> trainStepFromJson(const Json &json)
{
    return decodeJson<TrainStep>(json, "training step", [](const Json &from) -> Result<TrainStep> {
        TrainStep step;
        visitStep(step, [&](const char *key, auto &member) { read(from.at(key), member); });
        return step;
    });
}

Json toJson(const TrainSummary &summary)
{
    return {{"steps", summary.steps},
            {"positions", summary.positions},
            {"loss", summary.loss},
            {"elapsed_seconds", summary.elapsedSeconds},
            {"checkpoint", summary.checkpoint},
            {"stopped", summary.isStopped}};
}

Result<TrainSummary> trainSummaryFromJson(const Json &json)
{
    return decodeJson<TrainSummary>(json, "training summary", [](const Json &from) -> Result<TrainSummary> {
        TrainSummary summary;
        from.at("steps").get_to(summary.steps);
        from.at("positions").get_to(summary.positions);
        read(from.at("loss"), summary.loss);
        read(from.at("elapsed_seconds"), summary.elapsedSeconds);
        from.at("checkpoint").get_to(summary.checkpoint);
        from.at("stopped").get_to(summary.isStopped);
        return summary;
    });
}

} // namespace dice
