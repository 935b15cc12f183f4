#include "benchcommand.h"

#include "app/cli/inputs.h"
#include "app/services/installation.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>

namespace dice::cli {

namespace {

double rounded(double percent)
{
    return std::round(percent * 10.0) / 10.0;
}

std::string taskLine(const services::BenchmarkResult &result)
{
    char head[64];
    std::snprintf(head, sizeof head, "%-14s%7.1f s  ", result.word.c_str(), result.seconds);
    const bool isCorrect = result.word == toString(VerdictWord::Correct);
    return head + result.level + "/" + result.name + (result.isScaled ? " (scaled)" : "")
        + (isCorrect ? "" : ": " + result.reason.substr(0, result.reason.find('\n'))) + "\n";
}

} // namespace

void BenchCommand::addTo(CLI::App &parent)
{
    CLI::App &command = addSubcommand(parent, "bench", "Score a model, or kernels, on a benchmark");
    command.add_option("TASKS", m_tasks, "Folder of PyTorch modules, with level folders or without, or a .jsonl")
        ->required();
    command.add_option("--model", m_model, "Name (dice model list) or folder; default: the model in the box");
    command.add_option("--kernels", m_kernels, "Judge the kernels in this folder (<task>.py), ask no model");
    command.add_option("--kernels-field", m_kernelsField, "Judge the kernels in this field of the .jsonl");
    command.add_option("--run", m_run, "Run folder; one that is there is gone on with");
    command.add_option("--device", m_device, "auto, cpu or cuda:N")->capture_default_str();
    command.add_option("--protocol", m_protocol, "strict, kernelbench or kernelbench-v0")->capture_default_str();
    command.add_option("--trials", m_numTrials, "Inputs to compare on")->check(CLI::Range(1, 1000));
    command.add_option("--count", m_sample.count, "Only so many tasks, chosen by --sample-seed")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--sample-seed", m_sample.seed, "Chooses the tasks of --count");
    m_decoding.addTo(command);
}

void BenchCommand::start()
{
    Result<std::vector<services::BenchmarkTask>> tasks = readTasks();
    const Result<services::BenchmarkSettings> settings = makeSettings();
    if (!tasks || !settings) {
        finish(report(tasks ? settings.error() : tasks.error()));
        return;
    }
    m_runFolder = m_run.empty() ? store::newRunFolder(services::defaultRunsFolder().toStdString(), "bench")
                                : std::filesystem::path(m_run);
    m_studio = std::make_unique<services::Studio>(services::engineProgram(), services::evaluatorProgram());
    m_queue = std::make_unique<services::VerifyQueue>(services::evaluatorProgram(),
                                                      services::VerifyQueue::defaultNumJudges());
    m_benchmark = std::make_unique<services::BenchmarkRun>(*m_studio, *m_queue, *settings);
    connect(m_benchmark.get(), &services::BenchmarkRun::taskDone, this, &BenchCommand::showTask);
    connect(m_benchmark.get(), &services::BenchmarkRun::failed, this, [this](const Error &error) {
        printScores("ended early");
        end(report(error));
    });
    connect(m_benchmark.get(), &services::BenchmarkRun::ended, this, [this] {
        const bool isWhole = static_cast<int>(m_benchmark->results().size()) == m_benchmark->numTasks();
        printScores(isWhole ? "done" : "stopped");
        end(isWhole ? ExitStatus::Correct : ExitStatus::NotCorrect);
    });
    if (const Status started = m_benchmark->start(m_runFolder, std::move(*tasks)); !started)
        finish(report(started.error()));
}

Result<std::vector<services::BenchmarkTask>> BenchCommand::readTasks() const
{
    Result<std::vector<services::BenchmarkTask>> tasks = services::readTasks(m_tasks, m_kernelsField);
    if (!tasks)
        return tasks;
    std::vector<services::BenchmarkTask> chosen = services::sampleTasks(std::move(*tasks), m_sample);
    if (!m_kernels.empty()) {
        if (const Status attached = services::attachKernels(chosen, m_kernels); !attached)
            return tl::unexpected(attached.error());
    }
    return chosen;
}

Result<services::BenchmarkSettings> BenchCommand::makeSettings() const
{
    services::BenchmarkSettings settings;
    const Result<DecodingOptions> decoding = m_decoding.options();
    if (!decoding)
        return tl::unexpected(decoding.error());
    const Result<Protocol> protocol = parseProtocol(m_protocol);
    if (!protocol)
        return tl::unexpected(protocol.error());
    if (const Status device = checkDevice(m_device); !device)
        return tl::unexpected(device.error());
    if (m_kernels.empty() && m_kernelsField.empty()) {
        const Result<services::ModelEntry> model = chooseModel(m_model);
        if (!model)
            return tl::unexpected(model.error());
        settings.modelFolder = model->folder.toStdString();
    }
    settings.device = m_device;
    settings.decoding = *decoding;
    settings.protocol = *protocol;
    settings.numTrials = m_numTrials;
    return settings;
}

void BenchCommand::showTask(const services::BenchmarkResult &result)
{
    terminal().printText(taskLine(result));
    const int numDone = static_cast<int>(m_benchmark->results().size());
    terminal().showProgress(numDone, m_benchmark->numTasks(),
                            std::to_string(numDone) + " of " + std::to_string(m_benchmark->numTasks()));
}

void BenchCommand::printScores(const std::string &ending)
{
    const std::vector<services::BenchmarkResult> &results = m_benchmark->results();
    Json document{{"run", m_runFolder.string()}, {"ending", ending}, {"words", services::countWords(results)}};
    document["levels"] = Json::object();
    document["tasks"] = Json::array();
    for (const auto &[level, score] : services::scoreLevels(results)) {
        // fast_1 and fast_2 need times of both sides on a GPU, which nothing here measures: null, not 0.
        document["levels"][level] = {{"tasks", score.numTasks},
                                     {"correct", score.numCorrect},
                                     {"exec", rounded(score.execPercent())},
                                     {"fast_1", nullptr},
                                     {"fast_2", nullptr}};
        terminal().printText(level + ": exec " + Json(rounded(score.execPercent())).dump() + " % ("
                             + std::to_string(score.numCorrect) + " of " + std::to_string(score.numTasks) + ")\n");
    }
    for (const services::BenchmarkResult &result : results)
        document["tasks"].push_back(result.toJson());
    for (const auto &[word, count] : services::countWords(results))
        terminal().printText("  " + word + " " + std::to_string(count) + "\n");
    terminal().printJson(document);
    terminal().printRemark("Results and kernels are in " + m_runFolder.string()
                           + (ending == "done" ? "" : "; the same command with --run goes on there"));
}

void BenchCommand::interrupt()
{
    if (m_benchmark)
        m_benchmark->stop();
    else
        finish(ExitStatus::NotCorrect);
}

void BenchCommand::end(ExitStatus status)
{
    const auto countEnding = [this, status] {
        if (++m_numEndings == 2)
            finish(status);
    };
    connect(m_studio.get(), &services::Studio::processesEnded, this, countEnding);
    connect(m_queue.get(), &services::VerifyQueue::processesEnded, this, countEnding);
    m_studio->endProcesses();
    m_queue->endProcesses();
}

} // namespace dice::cli
