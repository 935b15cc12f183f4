// Compares this program with the stored outputs of published reference code: a folder of reference fixtures in, a line
// a check out. For `dice model parity`; changes nothing. Torch-free.
#pragma once

#include "core/base/result.h"
#include "core/formats/tokenizerchecks.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dice::engine {

using formats::Check;

struct ParityReport
{
    std::vector<Check> checks;

    int numFailed() const;
};

// Called for each check as it is done; returning false ends early with Cancelled.
using CheckCallback = std::function<bool(const Check &)>;

// Knows the folders models/<family>, tokenizer and logits_processing of the fixtures; any other folder is
// InvalidArgument. A folder of a family that cannot be run yet is Unsupported. float32, `device` as for loading.
Result<ParityReport> checkParity(const std::filesystem::path &folder, const std::string &device = "cpu",
                                 const CheckCallback &onCheck = {});

} // namespace dice::engine
