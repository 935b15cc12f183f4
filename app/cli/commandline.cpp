#include "commandline.h"

#include "app/cli/benchcommand.h"
#include "app/cli/doctorcommand.h"
#include "app/cli/generatecommand.h"
#include "app/cli/interruptwatcher.h"
#include "app/cli/modelinfocommand.h"
#include "app/cli/modellistcommand.h"
#include "app/cli/modelparitycommand.h"
#include "app/cli/synthcommand.h"
#include "app/cli/terminal.h"
#include "app/cli/traincommand.h"
#include "app/cli/verifycommand.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>

#include <iostream>
#include <memory>
#include <vector>

namespace dice::cli {

namespace {

template <typename T> void add(std::vector<std::unique_ptr<Command>> &commands, CLI::App &parent)
{
    commands.push_back(std::make_unique<T>());
    commands.back()->addTo(parent);
}

CLI::App &addGroup(CLI::App &parent, const std::string &name, const std::string &description)
{
    CLI::App *group = parent.add_subcommand(name, description);
    group->require_subcommand(1);
    return *group;
}

std::vector<std::unique_ptr<Command>> addCommands(CLI::App &root)
{
    std::vector<std::unique_ptr<Command>> commands;
    add<GenerateCommand>(commands, root);
    add<VerifyCommand>(commands, root);
    add<BenchCommand>(commands, root);
    CLI::App &model = addGroup(root, "model", "List, describe and compare models");
    add<ModelListCommand>(commands, model);
    add<ModelInfoCommand>(commands, model);
    add<ModelParityCommand>(commands, model);
    CLI::App &data = addGroup(root, "data", "Make training data");
    add<SynthCommand>(commands, data);
    CLI::App &train = addGroup(root, "train", "Train a model");
    add<TrainCommand>(commands, train);
    add<DoctorCommand>(commands, root);
    return commands;
}

// CLI11 speaks in several lines, with a run of its help at times; this program in one sentence.
std::string sentenceOf(const CLI::ParseError &fault)
{
    const std::string message = fault.what();
    return message.substr(0, message.find('\n')) + "; dice --help and dice COMMAND --help list what there is";
}

// The first word when it names no command: CLI11 would only say that one is missing.
std::string unknownCommand(CLI::App &root, int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return {};
    const std::vector<CLI::App *> known
        = root.get_subcommands([&](const CLI::App *command) { return command->check_name(argv[1]); });
    return known.empty() ? argv[1] : "";
}

int run(Command &command)
{
    InterruptWatcher watcher;
    QObject::connect(&watcher, &InterruptWatcher::interrupted, &command, &Command::interrupt);
    QObject::connect(
        &command, &Command::done, qApp, [](int status) { QCoreApplication::exit(status); }, Qt::QueuedConnection);
    QMetaObject::invokeMethod(&command, &Command::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace

int runCommandLine(int argc, char **argv)
{
    CLI::App root("DICE Studio on the command line: writes, verifies and trains on CUDA kernels", "dice");
    root.require_subcommand(1);
    const std::vector<std::unique_ptr<Command>> commands = addCommands(root);
    if (const std::string unknown = unknownCommand(root, argc, argv); !unknown.empty()) {
        std::cerr << "dice: there is no command \"" << unknown << "\"; dice --help lists them" << std::endl;
        return static_cast<int>(ExitStatus::BadInput);
    }
    try {
        root.parse(argc, argv);
    } catch (const CLI::Success &wanted) { // --help
        return root.exit(wanted);
    } catch (const CLI::ParseError &fault) {
        std::cerr << "dice: " << sentenceOf(fault) << std::endl;
        return static_cast<int>(ExitStatus::BadInput);
    }
    for (const auto &command : commands) {
        if (command->isChosen())
            return run(*command);
    }
    return static_cast<int>(ExitStatus::Fault);
}

} // namespace dice::cli
