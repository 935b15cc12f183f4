#include "modelparitycommand.h"

#include "app/cli/inputs.h"
#include "app/services/installation.h"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace dice::cli {

void ModelParityCommand::addTo(CLI::App &parent)
{
    CLI::App &command = addSubcommand(parent, "parity", "Compare the engine with stored reference outputs");
    command.add_option("DIR", m_folder, "Folder of a model, a tokenizer or a sampler with its reference outputs")
        ->required();
    command.add_option("--device", m_device, "auto, cpu or cuda:N")->capture_default_str();
}

void ModelParityCommand::start()
{
    if (const Status device = checkDevice(m_device); !device) {
        finish(report(device.error()));
        return;
    }
    std::error_code error;
    if (!std::filesystem::is_directory(m_folder, error)) {
        finish(report(makeError(ErrorCode::NotFound, "there is no folder " + m_folder + "; check the path")));
        return;
    }
    m_engine = std::make_unique<services::EngineClient>(services::engineProgram());
    const std::string folder = std::filesystem::absolute(m_folder).string();
    m_engine->checkParity(
        {folder, m_device}, [this](const auto &check) { printCheck(check); },
        [this](const Result<services::ParitySummary> &summary) {
            if (!summary) {
                finishAfter(m_engine->channel(), report(summary.error()));
                return;
            }
            terminal().printJson({{"checks", summary->numChecks}, {"failed", summary->numFailed}, {"lines", m_lines}});
            terminal().printText(std::to_string(summary->numChecks - summary->numFailed) + " of "
                                 + std::to_string(summary->numChecks) + " checks passed\n");
            const bool holds = summary->numFailed == 0 && summary->numChecks > 0;
            finishAfter(m_engine->channel(), holds ? ExitStatus::Correct : ExitStatus::NotCorrect);
        });
}

void ModelParityCommand::printCheck(const services::ParityCheck &check)
{
    m_lines.push_back({{"name", check.name}, {"passed", check.hasPassed}, {"detail", check.detail}});
    terminal().printText(std::string(check.hasPassed ? "ok    " : "WRONG ") + check.name
                         + (check.detail.empty() ? "" : ": " + check.detail) + "\n");
    terminal().showProgress(0, 0, std::to_string(m_lines.size()) + " checks");
}

void ModelParityCommand::interrupt()
{
    if (m_engine)
        finishAfter(m_engine->channel(), ExitStatus::NotCorrect);
}

} // namespace dice::cli
