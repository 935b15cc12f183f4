// One command of the program: its arguments, its run, its one end. A base for the files named after the commands.
#pragma once

#include "app/cli/terminal.h"
#include "core/data/verdict.h"

#include <QObject>

#include <string>

namespace CLI {
class App;
}

namespace dice::services {
class ProcessChannel;
class Studio;
} // namespace dice::services

namespace dice::cli {

enum class ExitStatus { Correct = 0, NotCorrect = 1, BadInput = 2, Fault = 3 };

ExitStatus exitStatusOf(const Error &error);
ExitStatus exitStatusOf(const Verdict &verdict);

class Command : public QObject
{
    Q_OBJECT

public:
    virtual void addTo(CLI::App &parent) = 0; // registers name, description and arguments
    virtual void start() = 0; // after parsing, inside the event loop
    virtual void interrupt() = 0; // Ctrl-C: end soon, say what is kept

    bool isChosen() const;

Q_SIGNALS:
    void done(int exitStatus);

protected:
    // Adds the subcommand with the options that every command has.
    CLI::App &addSubcommand(CLI::App &parent, const std::string &name, const std::string &description);

    Terminal &terminal() { return m_terminal; }

    void finish(ExitStatus status) { Q_EMIT done(static_cast<int>(status)); }
    // Says the sentence, and with --json the document {"error": ...}.
    ExitStatus report(const Error &error);

    // The same once the processes have ended, so that nothing outlives the command.
    void finishAfter(services::Studio &studio, ExitStatus status);
    void finishAfter(services::ProcessChannel &channel, ExitStatus status);

private:
    CLI::App *m_app = nullptr;
    Terminal m_terminal;
};

} // namespace dice::cli
