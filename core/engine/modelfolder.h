// What a model folder holds, for lists and cards: read from its configuration and the header of its weights.
// Loads no weights.
#pragma once

#include "core/base/result.h"
#include "core/data/modelinfo.h"

#include <filesystem>

namespace dice::engine {

// Errors are those of the configuration and the weights file: each names the file and the fault. The card is cut to
// 64 KiB.
Result<ModelInfo> readModelInfo(const std::filesystem::path &folder);

} // namespace dice::engine
