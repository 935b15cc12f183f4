#include "generatecommand.h"

#include "app/cli/inputs.h"
#include "app/cli/verdicttext.h"
#include "app/services/installation.h"
#include "core/store/atomicfile.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace dice::cli {

namespace {
constexpr double msPerSecond = 1000.0;
constexpr double nsPerSecond = 1e9;
} // namespace

void GenerateCommand::addTo(CLI::App &parent)
{
    CLI::App &command = addSubcommand(parent, "generate", "Write a CUDA kernel for a PyTorch module and verify it");
    command.add_option("MODULE", m_module, "PyTorch module: Model, get_inputs, get_init_inputs")->required();
    command.add_option("--model", m_model, "Name (dice model list) or folder; default: the model in the box");
    command.add_option("--device", m_device, "auto, cpu or cuda:N")->capture_default_str();
    command.add_option("-o,--output", m_output, "Save the kernel here, instead of printing it");
    command.add_option("--trace", m_trace, "Save every denoising step here");
    command.add_option("--attempts", m_numAttempts, "Try up to N times for a correct one; later attempts sample")
        ->check(CLI::Range(1, 1000));
    command.add_flag("--no-verify", m_skipsVerification, "Only generate");
    command.add_option("--protocol", m_protocol, "strict, kernelbench or kernelbench-v0")->capture_default_str();
    command.add_option("--trials", m_numTrials, "Inputs to compare on")->check(CLI::Range(1, 1000));
    m_decoding.addTo(command);
}

void GenerateCommand::start()
{
    const Result<services::GenerateJob> job = makeJob();
    if (!job) {
        finish(report(job.error()));
        return;
    }
    m_studio = std::make_unique<services::Studio>(services::engineProgram(), services::evaluatorProgram());
    connect(m_studio.get(), &services::Studio::finished, this, &GenerateCommand::handleFinished);
    connect(m_studio.get(), &services::Studio::failed, this, &GenerateCommand::handleFailed);
    connect(m_studio.get(), &services::Studio::generated, this, &GenerateCommand::keep);
    followSteps();
    m_studio->generate(*job);
}

Result<services::GenerateJob> GenerateCommand::makeJob() const
{
    services::GenerateJob job;
    const Result<ModuleSource> module = readSource(m_module);
    if (!module)
        return tl::unexpected(module.error());
    const Result<DecodingOptions> decoding = m_decoding.options();
    if (!decoding)
        return tl::unexpected(decoding.error());
    const Result<Protocol> protocol = parseProtocol(m_protocol);
    if (!protocol)
        return tl::unexpected(protocol.error());
    if (const Status device = checkDevice(m_device); !device)
        return tl::unexpected(device.error());
    for (const std::string &file : {m_output, m_trace}) {
        if (const Status output = file.empty() ? Status() : checkOutput(file); !output)
            return tl::unexpected(output.error());
    }
    const Result<services::ModelEntry> model = chooseModel(m_model);
    if (!model)
        return tl::unexpected(model.error());
    job.module = *module;
    job.modelFolder = model->folder.toStdString();
    job.device = m_device;
    job.decoding = *decoding;
    job.numAttempts = m_numAttempts;
    job.verification = m_skipsVerification ? services::Verification::Skipped : services::Verification::Wanted;
    job.protocol = *protocol;
    job.numTrials = m_numTrials;
    return job;
}

void GenerateCommand::followSteps()
{
    using services::Studio;
    connect(m_studio.get(), &Studio::stageChanged, this, [this](Studio::Stage stage) {
        if (stage == Studio::Stage::Preparing)
            terminal().showProgress(0, 0, "reading the module, loading the model");
    });
    connect(m_studio.get(), &Studio::attemptStarted, this, [this](int index, const GenerateRequest &request) {
        m_attempt = index;
        m_numTokens = 0;
        m_sinceAttempt.start();
        startTrace(request);
    });
    connect(m_studio.get(), &Studio::stepReceived, this, &GenerateCommand::countStep);
    connect(m_studio.get(), &Studio::verdictProgressed, this, [this](const QString &stage, const Verdict &) {
        terminal().showProgress(0, 0, "verifying: " + stage.toStdString());
    });
}

void GenerateCommand::startTrace(const GenerateRequest &request)
{
    m_traceWriter.reset();
    if (m_trace.empty())
        return;
    Result<store::TraceWriter> writer = store::TraceWriter::create(m_trace, toJson(m_studio->model()), request);
    if (writer)
        m_traceWriter.emplace(std::move(*writer));
    else
        m_traceStatus = tl::unexpected(writer.error());
}

void GenerateCommand::countStep(const CanvasStep &step)
{
    if (m_traceWriter && m_traceStatus)
        m_traceStatus = m_traceWriter->append(step);
    m_numTokens += static_cast<int>(std::ranges::count(step.cells, CellState::Committed, &CanvasCell::state));
    const double seconds = std::max(1.0, static_cast<double>(m_sinceAttempt.elapsed())) / msPerSecond;
    terminal().showProgress(0, 0,
                            "attempt " + std::to_string(m_attempt + 1) + ": block "
                                + std::to_string(step.block.value + 1) + ", " + std::to_string(m_numTokens)
                                + " tokens, " + std::to_string(static_cast<int>(m_numTokens / seconds)) + " tokens/s");
}

void GenerateCommand::keep(const GenerateResult &result, const std::string &kernel)
{
    m_kernel = kernel;
    if (m_traceWriter && m_traceStatus)
        m_traceStatus = m_traceWriter->finish(result);
}

void GenerateCommand::handleFinished(const services::JobOutcome &outcome)
{
    const services::Attempt *best = outcome.best();
    if (best)
        m_kernel = best->kernel;
    std::optional<Error> fault;
    if (!m_traceStatus)
        fault = m_traceStatus.error();
    if (const Status saved = saveKernel(); !saved) {
        fault = saved.error();
        m_output.clear(); // so that it is printed: what was written is not lost
    }
    printOutcome(outcome, fault);
    if (fault)
        end(exitStatusOf(*fault));
    else if (outcome.isStopped || !best)
        end(ExitStatus::NotCorrect);
    else if (best->verdict)
        end(exitStatusOf(*best->verdict));
    else
        end(ExitStatus::Correct);
}

void GenerateCommand::handleFailed(const Error &error)
{
    const ExitStatus status = report(error);
    if (const Status saved = saveKernel(); saved && !m_output.empty() && !m_kernel.empty())
        terminal().printRemark("The kernel that was written before is in " + m_output);
    end(status);
}

Status GenerateCommand::saveKernel()
{
    return m_output.empty() || m_kernel.empty() ? Status() : store::writeFile(m_output, m_kernel);
}

void GenerateCommand::printOutcome(const services::JobOutcome &outcome, const std::optional<Error> &fault)
{
    Json document = services::toJson(outcome);
    document["model"] = outcome.model.name;
    document["module"] = m_module;
    if (!m_output.empty())
        document["output"] = m_output;
    if (fault) {
        terminal().printRemark("dice: " + fault->message);
        document["error"] = {{"code", toString(fault->code)}, {"message", fault->message}};
    }
    terminal().printJson(document);
    if (terminal().isJson())
        return;
    if (m_output.empty())
        terminal().printText(m_kernel);
    for (const std::string &note : outcome.module.notes)
        terminal().printRemark("note          " + note);
    const services::Attempt *best = outcome.best();
    if (!best) {
        terminal().printRemark("Stopped before anything was written; nothing is kept.");
        return;
    }
    for (const std::string &warning : best->result.warnings)
        terminal().printRemark("warning       " + warning);
    const double seconds = static_cast<double>(best->result.durationNs) / nsPerSecond;
    terminal().printRemark("written       " + std::to_string(best->result.numTokens) + " tokens in "
                           + std::to_string(seconds).substr(0, 4) + " s by " + outcome.model.name
                           + (m_output.empty() ? "" : ", saved as " + m_output));
    if (outcome.isStopped)
        terminal().printRemark("Stopped: this is what was written until then, and it is not verified.");
    if (best->verdict) {
        std::string text = verdictText(*best->verdict);
        text.pop_back(); // its last line end
        terminal().printRemark(text);
    }
}

void GenerateCommand::interrupt()
{
    if (m_studio)
        m_studio->stop();
    else
        finish(ExitStatus::NotCorrect);
}

void GenerateCommand::end(ExitStatus status)
{
    finishAfter(*m_studio, status);
}

} // namespace dice::cli
