#include "modellistcommand.h"

#include "app/cli/inputs.h"
#include "app/services/installation.h"
#include "app/services/settings.h"

#include <CLI/CLI.hpp>

namespace dice::cli {

void ModelListCommand::addTo(CLI::App &parent)
{
    addSubcommand(parent, "list", "The models that are here");
}

void ModelListCommand::start()
{
    const services::Settings settings(services::Settings::defaultFile());
    const auto models = services::ModelCatalog::ofInstallation(settings.modelFolders()).models();
    Json document{{"models", Json::array()}};
    for (const services::ModelEntry &model : models) {
        document["models"].push_back({{"name", model.name.toStdString()},
                                      {"folder", model.folder.toStdString()},
                                      {"in_the_box", model.isInTheBox}});
        terminal().printText(model.name.leftJustified(20).toStdString() + " " + model.folder.toStdString() + "\n");
    }
    if (models.empty())
        terminal().printRemark("No model is here yet; put a folder in Hugging Face's layout into "
                               + services::userModelFolder().toStdString());
    terminal().printJson(document);
    finish(ExitStatus::Correct);
}

} // namespace dice::cli
