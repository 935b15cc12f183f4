#include "modulesource.h"

namespace dice {

Json toJson(const ModuleSource &source)
{
    return {{"text", source.text}, {"name", source.name}};
}

Result<ModuleSource> moduleSourceFromJson(const Json &json)
{
    return decodeJson<ModuleSource>(json, "module source", [](const Json &from) -> Result<ModuleSource> {
        return ModuleSource{from.at("text").get<std::string>(), from.at("name").get<std::string>()};
    });
}

Json toJson(const PreparedModule &module)
{
    return {{"normalised_text", module.normalisedText}, {"notes", module.notes}, {"problems", module.problems}};
}

Result<PreparedModule> preparedModuleFromJson(const Json &json)
{
    return decodeJson<PreparedModule>(json, "prepared module", [](const Json &from) -> Result<PreparedModule> {
        PreparedModule module;
        module.normalisedText = from.at("normalised_text").get<std::string>();
        module.notes = from.at("notes").get<std::vector<std::string>>();
        module.problems = from.at("problems").get<std::vector<std::string>>();
        return module;
    });
}

} // namespace dice
