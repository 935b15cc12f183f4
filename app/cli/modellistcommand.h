// dice model list: the models that --model knows by name.
#pragma once

#include "app/cli/command.h"

namespace dice::cli {

class ModelListCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override { finish(ExitStatus::NotCorrect); }
};

} // namespace dice::cli
