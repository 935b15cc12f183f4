#include "doctorcommand.h"

#include "app/cli/machinefindings.h"
#include "app/services/installation.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace dice::cli {

namespace {
constexpr std::size_t nameColumns = 18;
}

void DoctorCommand::addTo(CLI::App &parent)
{
    addSubcommand(parent, "doctor", "What works on this machine, and how to repair the rest");
}

void DoctorCommand::start()
{
    m_findings = findMachine();
    m_evaluator = std::make_unique<services::EvaluatorClient>(services::evaluatorProgram());
    terminal().showProgress(0, 0, "trying the sandbox");
    m_evaluator->describeSandbox([this](const Result<Json> &sandbox) {
        addSandbox(sandbox);
        printFindings();
    });
}

void DoctorCommand::addSandbox(const Result<Json> &sandbox)
{
    if (!sandbox) {
        m_findings.push_back(
            {"sandbox", false, Need::Required, sandbox.error().message, "build again, then try again"});
        return;
    }
    for (const Json &layer : sandbox->value("layers", Json::array())) {
        m_findings.push_back({"sandbox: " + layer.value("name", "?"), layer.value("works", false), Need::Required,
                              layer.value("detail", ""), layer.value("repair", "")});
    }
}

void DoctorCommand::printFindings()
{
    Json document{{"findings", Json::array()}};
    for (const Finding &finding : m_findings) {
        const bool isOptional = finding.need == Need::Optional;
        document["findings"].push_back({{"name", finding.name},
                                        {"works", finding.works},
                                        {"optional", isOptional},
                                        {"detail", finding.detail},
                                        {"repair", finding.repair}});
        std::string name = finding.name;
        name.resize(std::max(nameColumns, name.size() + 1), ' ');
        terminal().printText(std::string(finding.works    ? "ok    "
                                             : isOptional ? "-     "
                                                          : "FAULT ")
                             + name + finding.detail + "\n");
        if (!finding.works && !finding.repair.empty())
            terminal().printText(std::string(6 + nameColumns, ' ') + "-> " + finding.repair + "\n");
    }
    const bool isHealthy = std::ranges::all_of(
        m_findings, [](const Finding &finding) { return finding.works || finding.need == Need::Optional; });
    document["healthy"] = isHealthy;
    terminal().printJson(document);
    finishAfter(m_evaluator->channel(), isHealthy ? ExitStatus::Correct : ExitStatus::NotCorrect);
}

} // namespace dice::cli
