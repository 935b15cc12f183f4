// dice model info MODEL: architecture, sizes and card of one model.
#pragma once

#include "app/cli/command.h"
#include "app/services/engineclient.h"

#include <memory>

namespace dice::cli {

class ModelInfoCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override;

private:
    void print(const ModelInfo &info);

    std::string m_model;
    std::unique_ptr<services::EngineClient> m_engine;
};

} // namespace dice::cli
