// dice data synth: makes pairs of a PyTorch module and a CUDA kernel for it, the same ones for the same seed.
#pragma once

#include "app/cli/command.h"
#include "app/services/engineclient.h"

#include <memory>

namespace dice::cli {

class SynthCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override;

private:
    std::string m_folder;
    int m_count = 100;
    std::uint64_t m_seed = 1;
    RequestId m_request;
    std::unique_ptr<services::EngineClient> m_engine;
};

} // namespace dice::cli
