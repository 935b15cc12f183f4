#include "modelinfocommand.h"

#include "app/cli/inputs.h"
#include "app/services/installation.h"

#include <CLI/CLI.hpp>

namespace dice::cli {

void ModelInfoCommand::addTo(CLI::App &parent)
{
    CLI::App &command = addSubcommand(parent, "info", "Architecture, sizes and card of a model");
    command.add_option("MODEL", m_model, "Name (dice model list) or folder; default: the model in the box");
}

void ModelInfoCommand::start()
{
    const Result<services::ModelEntry> model = chooseModel(m_model);
    if (!model) {
        finish(report(model.error()));
        return;
    }
    m_engine = std::make_unique<services::EngineClient>(services::engineProgram());
    m_engine->describeModel(model->folder.toStdString(), [this](const Result<ModelInfo> &info) {
        if (info)
            print(*info);
        finishAfter(m_engine->channel(), info ? ExitStatus::Correct : report(info.error()));
    });
}

void ModelInfoCommand::print(const ModelInfo &info)
{
    terminal().printJson(toJson(info));
    terminal().printText(info.name + ": " + info.architecture + ", " + std::to_string(info.numParameters)
                         + " parameters in " + info.dtype + ", " + std::to_string(info.numLayers) + " layers of "
                         + std::to_string(info.hiddenSize) + ", " + std::to_string(info.vocabSize)
                         + " tokens, blocks of " + std::to_string(info.blockLength) + "\n" + info.folder + "\n");
    if (!info.card.empty())
        terminal().printText("\n" + info.card + "\n");
}

void ModelInfoCommand::interrupt()
{
    if (m_engine)
        finishAfter(m_engine->channel(), ExitStatus::NotCorrect);
}

} // namespace dice::cli
