#include "sfttrainer_torch.h"

#include "core/train/learningrate.h"
#include "core/train/sftloss_torch.h"
#include "core/train/stepqueue.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace dice::train {

namespace {

constexpr std::int64_t rowMultipleOnCuda = 8;
constexpr double notEvaluated = std::numeric_limits<double>::quiet_NaN();

at::ScalarType computeTypeOf(at::Device device)
{
    return device.is_cuda() ? at::kBFloat16 : at::kFloat;
}

} // namespace

SftTrainer::SftTrainer(SftSetup setup, const PairSource &source, const std::vector<DocumentMaker> &makers)
    : m_setup(std::move(setup))
    , m_source(source)
    , m_makers(makers)
    , m_parameters(m_setup.model, m_setup.device, computeTypeOf(m_setup.device))
    , m_optimizer(m_parameters,
                  {.weightDecay = m_setup.config.weightDecay, .maxGradientNorm = m_setup.config.maxGradientNorm})
{
    m_parameters.initialise(m_setup.config.seed);
}

Status SftTrainer::startFrom(const formats::Weights &weights)
{
    return m_parameters.load(weights);
}

Status SftTrainer::resume()
{
    const std::vector<store::CheckpointEntry> checkpoints = m_setup.run.checkpoints();
    if (checkpoints.empty())
        return failure(ErrorCode::NotFound,
                       "the run in " + m_setup.run.folder().string()
                           + " has no checkpoint yet; start it again in a new folder");
    const Result<TrainerCounters> counters = readCheckpoint(checkpoints.back().folder, m_parameters, m_optimizer);
    if (!counters)
        return tl::unexpected(counters.error());
    m_counters = *counters;
    m_secondsBefore = counters->elapsedSeconds;
    m_positionsBefore = counters->positions;
    return {};
}

Result<TrainSummary> SftTrainer::train(const StepCallback &onStep, const CancelToken &cancel)
{
    const TrainConfig &config = m_setup.config;
    Result<store::JsonLinesWriter> metrics = store::JsonLinesWriter::open(m_setup.run.metricsFile());
    if (!metrics)
        return tl::unexpected(metrics.error());
    const Result<StepData> heldOut = makeHeldOutData(plan(), config.numHeldOutDocuments, m_source, m_makers.front());
    if (!heldOut)
        return tl::unexpected(heldOut.error());
    StepQueue queue(
        [this](std::int64_t step, int thread) {
            return makeStepData(plan(), step, m_source, m_makers[static_cast<std::size_t>(thread)]);
        },
        m_counters.step + 1, static_cast<int>(m_makers.size()));
    m_started = std::chrono::steady_clock::now();

    TrainStep last;
    double share = budgetShare(config, m_counters.positions, m_counters.elapsedSeconds);
    while (share < 1.0 && !cancel.isCancelled()) {
        const Result<StepData> data = queue.next();
        if (!data)
            return tl::unexpected(data.error());
        ++m_counters.step;
        const double learningRate = learningRateAt(config, m_counters.step, share);
        const StepSums sums = update(*data, learningRate);
        m_counters.positions += data->numPositions;
        m_counters.elapsedSeconds
            = m_secondsBefore + std::chrono::duration<double>(std::chrono::steady_clock::now() - m_started).count();
        share = budgetShare(config, m_counters.positions, m_counters.elapsedSeconds);
        last = describe(sums, learningRate);
        if (m_counters.step % config.evaluateEverySteps == 0 || share >= 1.0) {
            const Evaluation evaluation = evaluate(*heldOut);
            last.heldOutLoss = evaluation.loss;
            last.heldOutAccuracy = evaluation.accuracy;
        }
        if (const Status appended = metrics->append(toJson(last)); !appended)
            return tl::unexpected(appended.error());
        onStep(last);
        if (m_counters.step % config.checkpointEverySteps == 0 && share < 1.0) {
            if (const Result<std::filesystem::path> saved = saveCheckpoint(); !saved)
                return tl::unexpected(saved.error());
        }
    }
    const Result<std::filesystem::path> saved = saveCheckpoint();
    if (!saved)
        return tl::unexpected(saved.error());
    return TrainSummary{m_counters.step,           m_counters.positions, last.loss,
                        m_counters.elapsedSeconds, saved->string(),      share < 1.0};
}

StepPlan SftTrainer::plan() const
{
    return {m_setup.config.seed, m_setup.config.positionsPerStep, m_setup.config.positionsPerPass,
            static_cast<std::int32_t>(m_setup.model.blockLength)};
}

TrainingBatch SftTrainer::layOutOnDevice(const Pass &pass) const
{
    std::vector<DocumentRow> rows;
    rows.reserve(pass.size());
    for (const MaskedDocument &masked : pass)
        rows.push_back({masked});
    const LayoutOptions options{.blockLength = static_cast<std::int32_t>(m_setup.model.blockLength),
                                .maskToken = *m_setup.model.maskTokenId,
                                .padToken = *m_setup.model.padTokenId,
                                .rowMultiple = m_setup.device.is_cuda() ? rowMultipleOnCuda : 1};
    return layOut(rows, options).to(m_setup.device);
}

SftTrainer::StepSums SftTrainer::update(const StepData &data, double learningRate)
{
    m_parameters.zeroGradient();
    std::optional<at::Tensor> loss;
    for (const Pass &pass : data.passes) {
        TrainingBatch batch = layOutOnDevice(pass);
        if (batch.lossIndex_M.numel() == 0) // every mask fell elsewhere: nothing to learn from
            continue;
        batch.lossDivisor = static_cast<double>(data.numAnswerTokens);
        const SftLoss result = sftLoss(m_parameters.weights(), m_setup.model, batch);
        result.loss.backward();
        loss = loss ? *loss + result.loss.detach() : result.loss.detach();
    }
    const at::Tensor norm = m_optimizer.step(learningRate);
    return {loss ? loss->item<double>() : 0.0, norm.item<double>()};
}

SftTrainer::Evaluation SftTrainer::evaluate(const StepData &heldOut)
{
    const at::NoGradGuard noGrad;
    double loss = 0.0;
    std::int64_t numCorrect = 0;
    std::int64_t numMasked = 0;
    for (const Pass &pass : heldOut.passes) {
        TrainingBatch batch = layOutOnDevice(pass);
        batch.lossDivisor = static_cast<double>(heldOut.numAnswerTokens);
        const SftLoss result = sftLoss(m_parameters.weights(), m_setup.model, batch);
        loss += result.loss.item<double>();
        numCorrect += result.numCorrect.item<std::int64_t>();
        numMasked += batch.targets_M.numel();
    }
    return {loss, static_cast<double>(numCorrect) / static_cast<double>(std::max<std::int64_t>(numMasked, 1))};
}

TrainStep SftTrainer::describe(const StepSums &sums, double learningRate) const
{
    TrainStep step;
    step.step = m_counters.step;
    step.positions = m_counters.positions;
    step.loss = sums.loss;
    step.heldOutLoss = notEvaluated;
    step.heldOutAccuracy = notEvaluated;
    step.learningRate = learningRate;
    step.gradientNorm = sums.gradientNorm;
    step.elapsedSeconds = m_counters.elapsedSeconds;
    step.positionsPerSecond = static_cast<double>(m_counters.positions - m_positionsBefore)
        / std::max(m_counters.elapsedSeconds - m_secondsBefore, 1e-9);
    step.secondsLeft = secondsLeft();
    return step;
}

double SftTrainer::secondsLeft() const
{
    const TrainConfig &config = m_setup.config;
    const double share = budgetShare(config, m_counters.positions, m_counters.elapsedSeconds);
    return share > 0 ? m_counters.elapsedSeconds * (1.0 - share) / share : notEvaluated;
}

Result<std::filesystem::path> SftTrainer::saveCheckpoint()
{
    const std::filesystem::path folder = m_setup.run.checkpointFolder(static_cast<int>(m_counters.step));
    const Status written
        = writeCheckpoint(folder, {m_setup.model, m_setup.tokenizerFolder, m_parameters, m_optimizer, m_counters});
    if (!written)
        return tl::unexpected(written.error());
    return folder;
}

} // namespace dice::train
