#include "traincommand.h"

#include "app/services/installation.h"
#include "core/store/atomicfile.h"
#include "core/store/runfolder.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>

namespace dice::cli {

namespace {
constexpr std::uint64_t maxConfigBytes = 1u << 20;
}

void TrainCommand::addTo(CLI::App &parent)
{
    CLI::App &command = addSubcommand(parent, "sft", "Supervised training of a block-diffusion model");
    CLI::Option *config = command.add_option("--config", m_config, "JSON file with the settings of the run");
    command.add_option("--run", m_run, "Run folder to make; default: a new one in the user's runs")->needs(config);
    command.add_option("--resume", m_resume, "Run folder to go on with")->excludes(config);
}

void TrainCommand::start()
{
    std::signal(SIGHUP, SIG_IGN); // a closed terminal ends the progress line, not the run
    Result<services::TrainRequest> request = makeRequest();
    if (!request) {
        finish(report(request.error()));
        return;
    }
    m_runFolder = request->runFolder;
    terminal().printRemark("Run folder: " + m_runFolder.string());
    m_engine = std::make_unique<services::EngineClient>(services::engineProgram());
    m_request = m_engine->train(
        *request, [this](const Json &step) { showStep(step); },
        [this](const Result<Json> &summary) { handleDone(summary); });
}

Result<services::TrainRequest> TrainCommand::makeRequest()
{
    if (!m_resume.empty()) {
        const Result<store::RunFolder> run = store::RunFolder::open(m_resume);
        if (!run)
            return tl::unexpected(run.error());
        return services::TrainRequest{run->config(), std::filesystem::absolute(m_resume).string(), true};
    }
    if (m_config.empty())
        return failure(ErrorCode::InvalidArgument, "give --config FILE to start a run, or --resume DIR to go on");
    const Result<std::string> text = store::readFile(m_config, maxConfigBytes);
    if (!text)
        return tl::unexpected(text.error());
    Json config = Json::parse(*text, nullptr, false, true);
    if (!config.is_object())
        return failure(ErrorCode::InvalidData, m_config + " holds no JSON object; see docs/training.md for its fields");
    const std::filesystem::path folder = m_run.empty()
        ? store::newRunFolder(services::defaultRunsFolder().toStdString(), "sft")
        : std::filesystem::absolute(m_run);
    if (store::RunFolder::isRun(folder))
        return failure(ErrorCode::InvalidArgument,
                       "there is a run in " + folder.string()
                           + " already; go on with --resume, or give another folder");
    return services::TrainRequest{std::move(config), folder.string(), false};
}

void TrainCommand::showStep(const Json &step)
{
    const int number = step.value("step", 0);
    m_numSteps = step.value("num_steps", m_numSteps);
    char text[96];
    std::snprintf(text, sizeof text, "step %d, loss %.4f", number, step.value("loss", 0.0));
    terminal().showProgress(number, m_numSteps, text);
}

void TrainCommand::handleDone(const Result<Json> &summary)
{
    if (!summary) {
        const ExitStatus status = report(summary.error());
        if (store::RunFolder::isRun(m_runFolder))
            terminal().printRemark("Checkpoints until then are kept; go on with: dice train sft --resume "
                                   + m_runFolder.string());
        finishAfter(m_engine->channel(), status);
        return;
    }
    Json document = *summary;
    document["run"] = m_runFolder.string();
    terminal().printJson(document);
    const bool isStopped = summary->value("stopped", false);
    terminal().printText(std::string(isStopped ? "Stopped" : "Done") + " after "
                         + std::to_string(summary->value("steps", 0)) + " steps, checkpoint "
                         + summary->value("checkpoint", "none") + "\n");
    if (isStopped)
        terminal().printRemark("Go on with: dice train sft --resume " + m_runFolder.string());
    finishAfter(m_engine->channel(), isStopped ? ExitStatus::NotCorrect : ExitStatus::Correct);
}

void TrainCommand::interrupt()
{
    if (!m_engine)
        return;
    terminal().printRemark("Stopping after this step; a checkpoint is written first.");
    m_engine->channel().cancel(m_request);
}

} // namespace dice::cli
