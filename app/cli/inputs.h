// What a command is given by name, read and checked: source files, devices, protocols, models.
#pragma once

#include "app/services/modelcatalog.h"
#include "core/data/modulesource.h"
#include "core/data/verifyrequest.h"

#include <string>

namespace dice::cli {

// NotFound, or InvalidArgument for what cannot be a Python source: a folder, more than 1 MiB, no UTF-8, empty.
Result<ModuleSource> readSource(const std::string &path);

Status checkDevice(const std::string &device); // "auto", "cpu", "cuda:0"
Result<Protocol> parseProtocol(const std::string &name);

// An empty name means the default model.
Result<services::ModelEntry> chooseModel(const std::string &nameOrFolder);

// InvalidArgument when a file could not be written there later: no such folder, or a folder itself.
Status checkOutput(const std::string &path);

} // namespace dice::cli
