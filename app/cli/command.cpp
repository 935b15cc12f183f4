#include "command.h"

#include "app/services/processchannel.h"
#include "app/services/studio.h"

#include <CLI/CLI.hpp>

namespace dice::cli {

ExitStatus exitStatusOf(const Error &error)
{
    switch (error.code) {
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotFound:
    case ErrorCode::InvalidData:
    case ErrorCode::Unsupported:
    case ErrorCode::Io:
        return ExitStatus::BadInput;
    case ErrorCode::Cancelled:
        return ExitStatus::NotCorrect;
    case ErrorCode::Timeout:
    case ErrorCode::ProcessFailed:
    case ErrorCode::Internal:
        break;
    }
    return ExitStatus::Fault;
}

ExitStatus exitStatusOf(const Verdict &verdict)
{
    if (verdict.word == VerdictWord::Correct)
        return ExitStatus::Correct;
    return verdict.word == VerdictWord::HarnessError ? ExitStatus::Fault : ExitStatus::NotCorrect;
}

bool Command::isChosen() const
{
    return m_app && m_app->parsed();
}

CLI::App &Command::addSubcommand(CLI::App &parent, const std::string &name, const std::string &description)
{
    m_app = parent.add_subcommand(name, description);
    m_app->add_flag_callback(
        "--json", [this] { m_terminal.setFormat(Terminal::Format::Json); },
        "Print one JSON document on stdout and nothing else there");
    return *m_app;
}

ExitStatus Command::report(const Error &error)
{
    m_terminal.printError(error);
    return exitStatusOf(error);
}

void Command::finishAfter(services::Studio &studio, ExitStatus status)
{
    connect(&studio, &services::Studio::processesEnded, this, [this, status] { finish(status); });
    studio.endProcesses();
}

void Command::finishAfter(services::ProcessChannel &channel, ExitStatus status)
{
    if (channel.state() == services::ProcessChannel::State::Stopped) {
        finish(status);
        return;
    }
    connect(&channel, &services::ProcessChannel::stateChanged, this, [this, status](auto state) {
        if (state == services::ProcessChannel::State::Stopped)
            finish(status);
    });
    channel.stop();
}

} // namespace dice::cli
