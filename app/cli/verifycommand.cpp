#include "verifycommand.h"

#include "app/cli/inputs.h"
#include "app/cli/verdicttext.h"
#include "app/services/installation.h"

#include <CLI/CLI.hpp>

namespace dice::cli {

void VerifyCommand::addTo(CLI::App &parent)
{
    CLI::App &command = addSubcommand(parent, "verify", "Judge a kernel against its PyTorch module");
    command.add_option("KERNEL", m_kernel, "Kernel file with ModelNew");
    command.add_option("--reference", m_reference, "PyTorch module that the kernel replaces");
    command.add_option("--cases", m_cases, "Judge every DIR/*/*/candidate.py, and compare with its verdict.json");
    command.add_option("--device", m_device, "auto, cpu or cuda:N")->capture_default_str();
    command.add_option("--protocol", m_protocol, "strict, kernelbench or kernelbench-v0")->capture_default_str();
    command
        .add_option("--headers", m_headers,
                    "What extensions are built against: fastest (this program's headers where they suffice), or torch "
                    "(PyTorch's alone, as load_inline does; slow)")
        ->capture_default_str();
    command.add_option("--trials", m_numTrials, "Inputs to compare on")->check(CLI::Range(1, 1000));
}

void VerifyCommand::start()
{
    if (!m_cases.empty()) {
        startCases();
        return;
    }
    const Result<VerifyRequest> request = makeRequest();
    if (!request) {
        finish(report(request.error()));
        return;
    }
    m_studio = std::make_unique<services::Studio>(services::engineProgram(), services::evaluatorProgram());
    connect(m_studio.get(), &services::Studio::verdictProgressed, this, [this](const QString &stage, const Verdict &) {
        terminal().showProgress(0, 0, "verifying: " + stage.toStdString());
    });
    connect(m_studio.get(), &services::Studio::finished, this, [this](const services::JobOutcome &outcome) {
        if (outcome.isStopped) {
            finishAfter(*m_studio, report(makeError(ErrorCode::Cancelled, "stopped; there is no verdict")));
            return;
        }
        const Verdict &verdict = *outcome.best()->verdict;
        terminal().printText(verdictText(verdict));
        terminal().printJson({{"kernel", m_kernel}, {"reference", m_reference}, {"verdict", toJson(verdict)}});
        finishAfter(*m_studio, exitStatusOf(verdict));
    });
    connect(m_studio.get(), &services::Studio::failed, this,
            [this](const Error &error) { finishAfter(*m_studio, report(error)); });
    m_studio->verify(*request);
}

Result<VerifyRequest> VerifyCommand::makeSettings() const
{
    const Result<Protocol> protocol = parseProtocol(m_protocol);
    if (!protocol)
        return tl::unexpected(protocol.error());
    const Result<BuildHeaders> headers = buildHeadersFromString(m_headers);
    if (!headers)
        return tl::unexpected(headers.error());
    if (const Status device = checkDevice(m_device); !device)
        return tl::unexpected(device.error());
    return VerifyRequest{{}, {}, m_device, *protocol, m_numTrials, *headers};
}

Result<VerifyRequest> VerifyCommand::makeRequest() const
{
    if (m_kernel.empty() || m_reference.empty())
        return failure(ErrorCode::InvalidArgument,
                       "give a kernel and its module: dice verify KERNEL.py --reference MODULE.py");
    const Result<ModuleSource> candidate = readSource(m_kernel);
    if (!candidate)
        return tl::unexpected(candidate.error());
    const Result<ModuleSource> reference = readSource(m_reference);
    if (!reference)
        return tl::unexpected(reference.error());
    Result<VerifyRequest> request = makeSettings();
    if (request) {
        request->candidate = *candidate;
        request->reference = *reference;
    }
    return request;
}

void VerifyCommand::startCases()
{
    const Result<VerifyRequest> settings = makeSettings();
    if (!settings) {
        finish(report(settings.error()));
        return;
    }
    m_casesRun = std::make_unique<CasesRun>(terminal(), *settings);
    connect(m_casesRun.get(), &CasesRun::ended, this,
            [this](int numWrong) { finish(numWrong == 0 ? ExitStatus::Correct : ExitStatus::NotCorrect); });
    if (const Status started = m_casesRun->start(m_cases); !started)
        finish(report(started.error()));
}

void VerifyCommand::interrupt()
{
    if (m_studio)
        m_studio->stop();
    else if (m_casesRun)
        m_casesRun->stop();
    else
        finish(ExitStatus::NotCorrect);
}

} // namespace dice::cli
