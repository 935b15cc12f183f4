// A PyTorch module as the user gave it, and what the check of it found.
#pragma once

#include "core/data/json.h"

#include <string>
#include <vector>

namespace dice {

struct ModuleSource
{
    std::string text; // UTF-8, as pasted
    std::string name; // file name without folder, or "pasted module"

    bool operator==(const ModuleSource &) const = default;
};

// Reply to "prepare": the canonical form that the model is prompted with, or the reasons why there is none.
struct PreparedModule
{
    std::string normalisedText;
    std::vector<std::string> notes;    // what the normaliser changed or could not treat
    std::vector<std::string> problems; // sentences; not empty means: not usable as a task

    bool isUsable() const { return problems.empty(); }
    bool operator==(const PreparedModule &) const = default;
};

Json toJson(const ModuleSource &source);
Result<ModuleSource> moduleSourceFromJson(const Json &json);
Json toJson(const PreparedModule &module);
Result<PreparedModule> preparedModuleFromJson(const Json &json);

} // namespace dice
