// dice generate MODULE.py: asks a model for a kernel, shows the verdict on it.
#pragma once

#include "app/cli/command.h"
#include "app/cli/decodingarguments.h"
#include "app/services/studio.h"
#include "core/store/tracefile.h"

#include <QElapsedTimer>

#include <memory>
#include <optional>

namespace dice::cli {

class GenerateCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override;

private:
    Result<services::GenerateJob> makeJob() const;
    void followSteps();
    void startTrace(const GenerateRequest &request);
    void countStep(const CanvasStep &step);
    void keep(const GenerateResult &result, const std::string &kernel);
    void handleFinished(const services::JobOutcome &outcome);
    void handleFailed(const Error &error);
    Status saveKernel();
    void printOutcome(const services::JobOutcome &outcome, const std::optional<Error> &fault);
    void end(ExitStatus status);

    std::string m_module;
    std::string m_model;
    std::string m_device = "auto";
    std::string m_protocol = "strict";
    std::string m_output;
    std::string m_trace;
    int m_numAttempts = 1;
    int m_numTrials = 5;
    bool m_skipsVerification = false;
    DecodingArguments m_decoding;

    std::unique_ptr<services::Studio> m_studio;
    std::optional<store::TraceWriter> m_traceWriter;
    Status m_traceStatus; // the first failure to write it
    std::string m_kernel; // the last one that was written
    QElapsedTimer m_sinceAttempt;
    int m_numTokens = 0;
    int m_attempt = 0;
};

} // namespace dice::cli
