#include "app/studio/authorcontroller.h"

#include "app/studio/failuretext.h"
#include "app/studio/statusline.h"

#include <QFileInfo>
#include <QLocale>

namespace dice::studio {

using services::Studio;
using widgets::AuthorPage;
using widgets::FailureAction;

AuthorController::AuthorController(const Parts &parts, QObject *parent)
    : QObject(parent)
    , m_page(parts.page)
    , m_studio(parts.studio)
    , m_settings(parts.settings)
    , m_status(parts.status)
{
    fillDevices();
    m_page.form()->setOptions(m_settings.decoding());
    connectPage();
    connectStudio();
}

// Only for what the form offers: the engine and the judge look for themselves.
static bool hasNvidiaGpu()
{
    return QFileInfo::exists(QStringLiteral("/dev/nvidia0"));
}

void AuthorController::fillDevices()
{
    std::vector<widgets::Choice> devices;
    if (hasNvidiaGpu()) {
        devices.push_back({QStringLiteral("auto"), tr("NVIDIA GPU"), {}});
        devices.push_back({QStringLiteral("cpu"), tr("CPU"), {}});
    } else {
        devices.push_back({QStringLiteral("cpu"), tr("CPU (no NVIDIA GPU found)"),
                           tr("Kernels run on the CPU device: results are checked, times are not.")});
    }
    m_page.form()->setDevices(devices);
    m_page.form()->setDevice(m_settings.device());
    m_page.setProfileReason(hasNvidiaGpu() ? tr("This version does not profile yet")
                                                     : tr("Profiling needs an NVIDIA GPU; none was found"));
    m_status.setDevice(m_page.form()->device() == QLatin1String("cpu") ? tr("CPU device") : tr("GPU device"));
}

void AuthorController::connectPage()
{
    connect(&m_page, &AuthorPage::generateRequested, this, &AuthorController::startGeneration);
    connect(&m_page, &AuthorPage::verifyRequested, this, &AuthorController::startVerification);
    connect(&m_page, &AuthorPage::stopRequested, &m_studio, &Studio::stop);
    connect(&m_page, &AuthorPage::failureActionRequested, this, &AuthorController::recover);
    connect(m_page.form(), &widgets::DecodingForm::optionsChanged, this,
            [this] { m_settings.setDecoding(m_page.form()->options()); });
    connect(m_page.form(), &widgets::DecodingForm::deviceChanged, this, [this](const QString &device) {
        m_settings.setDevice(device);
        m_status.setDevice(device == QLatin1String("cpu") ? tr("CPU device") : tr("GPU device"));
        warmUp();
    });
    connect(m_page.form(), &widgets::DecodingForm::modelChanged, this, [this](const QString &model) {
        m_settings.setModel(model);
        warmUp();
    });
}

void AuthorController::connectStudio()
{
    connect(&m_studio, &Studio::stageChanged, this, &AuthorController::showStage);
    connect(&m_studio, &Studio::modelLoaded, this, [this](const ModelInfo &model) {
        m_status.setModel(tr("%1 ready").arg(QString::fromStdString(model.name)), QString::fromStdString(model.folder));
    });
    connect(&m_studio, &Studio::attemptStarted, &m_page,
            [this](int, const GenerateRequest &request) { m_page.showAttempt(request.decoding); });
    connect(&m_studio, &Studio::stepReceived, &m_page, &AuthorPage::appendStep);
    connect(&m_studio, &Studio::generated, &m_page, [this](const GenerateResult &result, const std::string &kernel) {
        m_page.showGenerated(result, QString::fromStdString(kernel));
        showSpeed(result);
    });
    connect(&m_studio, &Studio::verdictProgressed, &m_page, &AuthorPage::showStage);
    connect(&m_studio, &Studio::verdictReached, &m_page, &AuthorPage::showVerdict);
    connect(&m_studio, &Studio::finished, &m_page, &AuthorPage::showFinished);
    connect(&m_studio, &Studio::failed, this, &AuthorController::showFailure);
    // A process that ends in mid-job fails the job, and failed() tells; here it ended while it was idle.
    connect(&m_studio.engine().channel(), &services::ProcessChannel::endedUnexpectedly, this,
            [this](const Error &error) {
                m_status.setModel(tr("engine ended"));
                showIdleFailure(engineEnded(error));
            });
    connect(&m_studio.evaluator().channel(), &services::ProcessChannel::endedUnexpectedly, this,
            [this](const Error &error) {
                m_status.setSandbox(tr("judge ended"), {});
                showIdleFailure(evaluatorEnded(error));
            });
}

void AuthorController::startBackground()
{
    warmUp();
    askForSandbox();
}

void AuthorController::startGeneration(const widgets::GenerateIntent &intent)
{
    m_lastIntent = [this] { m_page.generate(); };
    services::GenerateJob job;
    job.module = {intent.moduleText.toStdString(), intent.moduleName.toStdString()};
    job.modelFolder = intent.model.toStdString();
    job.device = intent.device.toStdString();
    job.decoding = intent.decoding;
    job.numAttempts = m_settings.numAttempts();
    job.protocol = m_settings.protocol();
    job.numTrials = m_settings.numTrials();
    if (const Status status = validate(job.decoding); !status) {
        showFailure(status.error());
        return;
    }
    if (job.modelFolder.empty()) {
        showFailure(makeError(ErrorCode::NotFound, tr("No model is installed.").toStdString()));
        return;
    }
    m_studio.generate(job);
}

void AuthorController::startVerification(const widgets::VerifyIntent &intent)
{
    m_lastIntent = [this] { m_page.verify(); };
    VerifyRequest request;
    request.candidate = {intent.kernelText.toStdString(), "kernel"};
    request.reference = {intent.moduleText.toStdString(), intent.moduleName.toStdString()};
    request.device = intent.device.toStdString();
    request.protocol = m_settings.protocol();
    request.numTrials = m_settings.numTrials();
    m_studio.verify(request);
}

void AuthorController::showStage(Studio::Stage stage)
{
    switch (stage) {
    case Studio::Stage::Idle:
        m_status.clearProgress();
        return;
    case Studio::Stage::Preparing:
        m_page.showPreparing();
        break;
    case Studio::Stage::Generating:
        break; // attemptStarted() tells more
    case Studio::Stage::Verifying:
        m_page.showVerifying();
        break;
    }
    m_status.setProgress(-1);
}

void AuthorController::showSpeed(const GenerateResult &result)
{
    if (result.durationNs <= 0)
        return;
    const double tokensPerSecond = result.numTokens / (static_cast<double>(result.durationNs) * 1e-9);
    m_status.setSpeed(tr("%1 tokens/s").arg(QLocale().toString(qRound(tokensPerSecond))));
}

void AuthorController::showFailure(const Error &error)
{
    m_page.showFailure(pageFailure(error));
}

// The failure of a job says more than that its process ended: it stays.
void AuthorController::showIdleFailure(const widgets::PageFailure &failure)
{
    if (m_studio.stage() == Studio::Stage::Idle && !m_page.isShowingFailure())
        m_page.showFailure(failure);
}

void AuthorController::recover(FailureAction action)
{
    switch (action) {
    case FailureAction::None:
        return;
    case FailureAction::TryAgain:
        if (m_lastIntent)
            m_lastIntent();
        return;
    case FailureAction::RestartEngine:
        warmUp();
        return;
    case FailureAction::RestartEvaluator:
        askForSandbox();
        return;
    }
}

void AuthorController::warmUp()
{
    const QString model = m_page.form()->model();
    if (model.isEmpty()) {
        m_status.setModel(tr("no model"));
        return;
    }
    m_status.setModel(tr("loading the model..."));
    m_studio.warmUp({model.toStdString(), m_page.form()->device().toStdString(), "auto"}, [this](const Error &error) {
        m_status.setModel(tr("model not loaded"), QString::fromStdString(error.message));
        if (m_studio.stage() == Studio::Stage::Idle && error.code != ErrorCode::ProcessFailed)
            showFailure(error);
    });
}

struct SandboxSummary
{
    std::string level;
    QStringList missing;
};

static Result<SandboxSummary> summaryOf(const Json &sandbox)
{
    return decodeJson<SandboxSummary>(sandbox, "sandbox", [](const Json &from) -> Result<SandboxSummary> {
        SandboxSummary summary;
        summary.level = from.at("level").get<std::string>();
        for (const Json &layer : from.at("layers")) {
            if (!layer.at("works").get<bool>())
                summary.missing
                    += QStringLiteral("%1: %2").arg(QString::fromStdString(layer.at("name").get<std::string>()),
                                                    QString::fromStdString(layer.value("repair", std::string())));
        }
        return summary;
    });
}

void AuthorController::askForSandbox()
{
    m_studio.evaluator().describeSandbox([this](const Result<Json> &reply) {
        const Result<SandboxSummary> sandbox = reply ? summaryOf(*reply) : tl::unexpected(reply.error());
        if (!sandbox) {
            m_status.setSandbox(tr("sandbox: unknown"), QString::fromStdString(sandbox.error().message));
            return;
        }
        const QString text = sandbox->level == "full" ? tr("sandbox: full")
            : sandbox->level == "partial"             ? tr("sandbox: partial")
                                                      : tr("sandbox: none");
        m_status.setSandbox(text,
                            sandbox->missing.isEmpty() ? tr("Every layer works here.")
                                                       : sandbox->missing.join(QLatin1Char('\n')));
    });
}

} // namespace dice::studio
