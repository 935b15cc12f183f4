#include "synthcommand.h"

#include "app/services/installation.h"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace dice::cli {

namespace {
constexpr int maxCount = 10'000'000;
}

void SynthCommand::addTo(CLI::App &parent)
{
    CLI::App &command = addSubcommand(parent, "synth", "Make pairs of a PyTorch module and its CUDA kernel");
    command.add_option("--count", m_count, "Pairs")->check(CLI::Range(1, maxCount))->capture_default_str();
    command.add_option("--seed", m_seed, "The same seed gives the same pairs")->capture_default_str();
    command.add_option("--out", m_folder, "Folder to make")->required();
}

void SynthCommand::start()
{
    std::error_code error;
    if (std::filesystem::exists(m_folder, error) && !std::filesystem::is_empty(m_folder, error)) {
        finish(report(makeError(ErrorCode::InvalidArgument, m_folder + " holds something already; give a new folder")));
        return;
    }
    m_engine = std::make_unique<services::EngineClient>(services::engineProgram());
    const services::SynthesisRequest request{std::filesystem::absolute(m_folder).string(), m_count, m_seed};
    m_request = m_engine->synthesise(
        request, [this](int done, int total) { terminal().showProgress(done, total, std::to_string(done) + " pairs"); },
        [this](const Result<Json> &summary) {
            if (summary) {
                terminal().printJson(*summary);
                terminal().printText(std::to_string(summary->value("count", 0)) + " pairs in " + m_folder + "\n");
            }
            finishAfter(m_engine->channel(), summary ? ExitStatus::Correct : report(summary.error()));
        });
}

void SynthCommand::interrupt()
{
    if (!m_engine)
        return;
    terminal().printRemark("Stopping; the pairs that are whole stay in " + m_folder);
    m_engine->channel().cancel(m_request);
}

} // namespace dice::cli
