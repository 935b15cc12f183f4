// dice doctor: what works on this machine, and how to repair what does not.
#pragma once

#include "app/cli/command.h"
#include "app/services/evaluatorclient.h"

#include <memory>
#include <vector>

namespace dice::cli {

enum class Need { Required, Optional };

struct Finding
{
    std::string name;
    bool works = false;
    Need need = Need::Required;
    std::string detail;
    std::string repair; // empty when it works
};

class DoctorCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override { finish(ExitStatus::NotCorrect); }

private:
    void addSandbox(const Result<Json> &sandbox);
    void printFindings();

    std::vector<Finding> m_findings;
    std::unique_ptr<services::EvaluatorClient> m_evaluator;
};

} // namespace dice::cli
