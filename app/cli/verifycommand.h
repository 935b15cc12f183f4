// dice verify KERNEL.py --reference MODULE.py: the judge's verdict on one kernel; --cases DIR: on many known ones.
#pragma once

#include "app/cli/casesrun.h"
#include "app/cli/command.h"
#include "app/services/studio.h"

#include <memory>

namespace dice::cli {

class VerifyCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override;

private:
    Result<VerifyRequest> makeSettings() const; // without the modules
    Result<VerifyRequest> makeRequest() const;
    void startCases();

    std::string m_kernel;
    std::string m_reference;
    std::string m_cases;
    std::string m_device = "auto";
    std::string m_protocol = "strict";
    std::string m_headers = "fastest";
    int m_numTrials = 5;

    std::unique_ptr<services::Studio> m_studio;
    std::unique_ptr<CasesRun> m_casesRun;
};

} // namespace dice::cli
