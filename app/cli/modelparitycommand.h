// dice model parity DIR: compares what the engine computes with stored reference outputs, a line a check.
#pragma once

#include "app/cli/command.h"
#include "app/services/engineclient.h"

#include <memory>

namespace dice::cli {

class ModelParityCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override;

private:
    void printCheck(const services::ParityCheck &check);

    std::string m_folder;
    std::string m_device = "cpu";
    Json m_lines = Json::array();
    std::unique_ptr<services::EngineClient> m_engine;
};

} // namespace dice::cli
