// Orders the steps of one job at a time over the engine and the judge: prepare and load, generate, verify. The window
// and the command line both use it. It owns the two clients, waits for nothing, and knows no widget.
//   start -> stageChanged* -> (stepReceived* -> generated -> verdictProgressed* -> verdictReached)* -> finished |
//   failed
#pragma once

#include "app/services/engineclient.h"
#include "app/services/evaluatorclient.h"
#include "app/services/studiojob.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

namespace dice::services {

class Studio : public QObject
{
    Q_OBJECT

public:
    enum class Stage { Idle, Preparing, Generating, Verifying };
    Q_ENUM(Stage)

    Studio(ProcessProgram engine, ProcessProgram evaluator, QObject *parent = nullptr);

    // Starts a job. One is running already: nothing happens, the caller looks at stage() first.
    void generate(const GenerateJob &job);
    void verify(const VerifyRequest &request);

    // Loads a model ahead of the first job, so that the job need not wait. Does nothing while a job runs.
    void warmUp(const LoadRequest &request, std::function<void(const Error &)> onFailure);

    // Ends the job: finished() comes with what there is, within one denoising step.
    void stop();

    Stage stage() const { return m_stage; }
    const ModelInfo &model() const { return m_model; } // the one loaded last
    EngineClient &engine() { return m_engine; }
    EvaluatorClient &evaluator() { return m_evaluator; }

    // Ends both processes; the next job starts them anew. processesEnded() follows, at once when none runs.
    void endProcesses();

Q_SIGNALS:
    void stageChanged(dice::services::Studio::Stage stage);
    void modulePrepared(const dice::PreparedModule &module);
    void modelLoaded(const dice::ModelInfo &model);
    void attemptStarted(int index, const dice::GenerateRequest &request);
    // Up to thousands a second: a view keeps the newest state of each cell and paints once a frame.
    void stepReceived(const dice::CanvasStep &step);
    void generated(const dice::GenerateResult &result, const std::string &kernel);
    void verdictProgressed(const QString &stage, const dice::Verdict &verdictSoFar);
    void verdictReached(const dice::Verdict &verdict);
    // Exactly one of the two ends a job.
    void finished(const dice::services::JobOutcome &outcome);
    void failed(const dice::Error &error);
    void processesEnded();

private:
    void begin(Stage stage);
    void prepareModule();
    void loadModel();
    void forgetModel();
    void load(const LoadRequest &request);
    void handleLoaded(const Result<ModelInfo> &model);
    void abandonLoad();
    void startAttemptWhenReady();
    void startAttempt();
    void handleGenerated(const Result<GenerateResult> &result);
    void startVerification(const VerifyRequest &request);
    void handleVerdict(const Result<Verdict> &verdict);
    void finish();
    void fail(const Error &error);
    void setStage(Stage stage);
    void noteProcessState();

    EngineClient m_engine;
    EvaluatorClient m_evaluator;
    Stage m_stage = Stage::Idle;
    GenerateJob m_job;
    bool m_isGenerateJob = false;
    JobOutcome m_outcome;
    std::optional<LoadRequest> m_loaded; // what the running engine holds
    std::optional<LoadRequest> m_loading; // what it was asked for and has not answered yet
    std::function<void(const Error &)> m_onWarmUpFailure;
    ModelInfo m_model;
    bool m_isModuleReady = false;
    bool m_isModelReady = false;
    bool m_isEndingProcesses = false;
    RequestId m_prepareId;
    RequestId m_loadId;
    RequestId m_currentId; // generate or verify
};

} // namespace dice::services
