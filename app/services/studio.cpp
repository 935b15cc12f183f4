#include "studio.h"

#include "app/services/answertext.h"

#include <utility>

namespace dice::services {

Studio::Studio(ProcessProgram engine, ProcessProgram evaluator, QObject *parent)
    : QObject(parent)
    , m_engine(std::move(engine))
    , m_evaluator(std::move(evaluator))
{
    connect(&m_engine.channel(), &ProcessChannel::stateChanged, this, [this](ProcessChannel::State state) {
        if (state == ProcessChannel::State::Stopped)
            forgetModel();
        noteProcessState();
    });
    connect(&m_evaluator.channel(), &ProcessChannel::stateChanged, this, &Studio::noteProcessState);
}

void Studio::generate(const GenerateJob &job)
{
    if (m_stage != Stage::Idle)
        return;
    m_job = job;
    m_isGenerateJob = true;
    begin(Stage::Preparing);
    prepareModule();
    loadModel(); // beside the preparation: they are different processes
}

void Studio::verify(const VerifyRequest &request)
{
    if (m_stage != Stage::Idle)
        return;
    m_isGenerateJob = false;
    begin(Stage::Verifying);
    Attempt attempt;
    attempt.kernel = request.candidate.text;
    m_outcome.attempts.push_back(std::move(attempt));
    startVerification(request);
}

void Studio::warmUp(const LoadRequest &request, std::function<void(const Error &)> onFailure)
{
    if (m_stage != Stage::Idle)
        return;
    if (m_loaded == request) {
        Q_EMIT modelLoaded(m_model);
        return;
    }
    m_onWarmUpFailure = std::move(onFailure);
    load(request);
}

void Studio::stop()
{
    if (m_stage == Stage::Idle || m_outcome.isStopped)
        return;
    m_outcome.isStopped = true;
    if (m_stage == Stage::Generating) {
        m_engine.channel().cancel(m_currentId); // its reply holds what was written so far
        return;
    }
    abandonLoad();
    m_evaluator.channel().abandon(m_prepareId);
    m_evaluator.channel().abandon(m_currentId);
    // Queued, so that the signal never comes from inside the caller's own call.
    QMetaObject::invokeMethod(this, &Studio::finish, Qt::QueuedConnection);
}

void Studio::endProcesses()
{
    m_isEndingProcesses = true;
    m_engine.channel().stop();
    m_evaluator.channel().stop();
    QMetaObject::invokeMethod(this, &Studio::noteProcessState, Qt::QueuedConnection);
}

void Studio::begin(Stage stage)
{
    m_outcome = {};
    m_prepareId = m_currentId = RequestId{};
    setStage(stage);
}

void Studio::prepareModule()
{
    m_isModuleReady = false;
    m_prepareId = m_evaluator.prepare(m_job.module, [this](const Result<PreparedModule> &prepared) {
        if (m_stage != Stage::Preparing)
            return;
        if (!prepared) {
            fail(prepared.error());
            return;
        }
        if (!prepared->isUsable()) {
            fail(makeError(ErrorCode::InvalidArgument, m_job.module.name + ": " + prepared->problems.front()));
            return;
        }
        m_outcome.module = *prepared;
        m_isModuleReady = true;
        Q_EMIT modulePrepared(m_outcome.module);
        startAttemptWhenReady();
    });
}

// The engine is gone, and with it the model that a job in preparation counted on: it is loaded again.
void Studio::forgetModel()
{
    m_loaded.reset();
    const bool isNeeded = m_stage == Stage::Preparing && m_isModelReady;
    m_isModelReady = false;
    if (isNeeded)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (m_stage == Stage::Preparing)
                    loadModel();
            },
            Qt::QueuedConnection);
}

void Studio::loadModel()
{
    const LoadRequest request{m_job.modelFolder, m_job.device, "auto"};
    m_isModelReady = m_loaded == request;
    if (m_isModelReady)
        m_outcome.model = m_model;
    else
        load(request);
}

void Studio::load(const LoadRequest &request)
{
    if (m_loading == request)
        return; // a warm-up is under way, its answer serves the job too
    abandonLoad();
    m_loaded.reset();
    m_loading = request;
    m_loadId = m_engine.load(request, [this](const Result<ModelInfo> &model) { handleLoaded(model); });
}

void Studio::handleLoaded(const Result<ModelInfo> &model)
{
    const LoadRequest request = *std::exchange(m_loading, {});
    if (!model) {
        if (m_stage == Stage::Preparing)
            fail(model.error());
        else if (m_onWarmUpFailure)
            m_onWarmUpFailure(model.error());
        return;
    }
    m_loaded = request;
    m_model = *model;
    Q_EMIT modelLoaded(m_model);
    if (m_stage != Stage::Preparing)
        return;
    m_outcome.model = m_model;
    m_isModelReady = true;
    startAttemptWhenReady();
}

void Studio::abandonLoad()
{
    m_engine.channel().abandon(m_loadId);
    m_loading.reset();
}

void Studio::startAttemptWhenReady()
{
    if (m_isModuleReady && m_isModelReady && !m_outcome.isStopped)
        startAttempt();
}

void Studio::startAttempt()
{
    const int index = static_cast<int>(m_outcome.attempts.size());
    Attempt attempt;
    attempt.request = {m_outcome.module.normalisedText, decodingOfAttempt(m_job.decoding, index)};
    m_outcome.attempts.push_back(attempt);
    setStage(Stage::Generating);
    Q_EMIT attemptStarted(index, attempt.request);
    m_currentId = m_engine.generate(
        attempt.request, [this](const CanvasStep &step) { Q_EMIT stepReceived(step); },
        [this](const Result<GenerateResult> &result) { handleGenerated(result); });
}

void Studio::handleGenerated(const Result<GenerateResult> &result)
{
    if (!result) {
        // An engine may answer a cancel with an error: then the attempt is empty, and the job stopped.
        if (m_outcome.isStopped && result.error().code == ErrorCode::Cancelled)
            finish();
        else
            fail(result.error());
        return;
    }
    Attempt &attempt = m_outcome.attempts.back();
    attempt.result = *result;
    attempt.kernel = kernelOf(result->text);
    Q_EMIT generated(attempt.result, attempt.kernel);
    if (m_outcome.isStopped || m_job.verification == Verification::Skipped) {
        finish();
        return;
    }
    VerifyRequest request;
    request.candidate = {attempt.kernel, "kernel"};
    request.reference = m_job.module;
    request.device = m_job.device;
    request.protocol = m_job.protocol;
    request.numTrials = m_job.numTrials;
    startVerification(request);
}

void Studio::startVerification(const VerifyRequest &request)
{
    setStage(Stage::Verifying);
    m_currentId = m_evaluator.verify(
        request,
        [this](const std::string &stage, const Verdict &soFar) {
            Q_EMIT verdictProgressed(QString::fromStdString(stage), soFar);
        },
        [this](const Result<Verdict> &verdict) { handleVerdict(verdict); });
}

void Studio::handleVerdict(const Result<Verdict> &verdict)
{
    if (!verdict) {
        fail(verdict.error());
        return;
    }
    m_outcome.attempts.back().verdict = *verdict;
    Q_EMIT verdictReached(*verdict);
    const bool isDone = verdict->word == VerdictWord::Correct || !m_isGenerateJob || m_outcome.isStopped
        || static_cast<int>(m_outcome.attempts.size()) >= m_job.numAttempts;
    if (isDone) {
        finish();
    } else if (m_isModelReady) {
        startAttempt();
    } else { // the engine ended while the judge worked
        setStage(Stage::Preparing);
        loadModel();
    }
}

void Studio::finish()
{
    if (m_stage == Stage::Idle)
        return;
    setStage(Stage::Idle);
    Q_EMIT finished(std::exchange(m_outcome, {}));
}

void Studio::fail(const Error &error)
{
    if (m_stage == Stage::Idle)
        return;
    abandonLoad();
    m_evaluator.channel().abandon(m_prepareId);
    setStage(Stage::Idle);
    Q_EMIT failed(error);
}

void Studio::setStage(Stage stage)
{
    if (m_stage == stage)
        return;
    m_stage = stage;
    Q_EMIT stageChanged(stage);
}

void Studio::noteProcessState()
{
    if (!m_isEndingProcesses || m_engine.channel().state() != ProcessChannel::State::Stopped
        || m_evaluator.channel().state() != ProcessChannel::State::Stopped)
        return;
    m_isEndingProcesses = false;
    Q_EMIT processesEnded();
}

} // namespace dice::services
