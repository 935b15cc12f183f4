// dice train sft: one training run in its run folder. It goes on when the terminal or the window that started it goes.
#pragma once

#include "app/cli/command.h"
#include "app/services/engineclient.h"

#include <filesystem>
#include <memory>

namespace dice::cli {

class TrainCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override;

private:
    Result<services::TrainRequest> makeRequest();
    void showStep(const Json &step);
    void handleDone(const Result<Json> &summary);

    std::string m_config;
    std::string m_run;
    std::string m_resume;
    std::filesystem::path m_runFolder;
    int m_numSteps = 0; // of the whole run; 0 = not known
    RequestId m_request;
    std::unique_ptr<services::EngineClient> m_engine;
};

} // namespace dice::cli
