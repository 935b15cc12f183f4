// Candidates whose verdict is known: DIR/<group>/<name>/{reference.py,candidate.py,verdict.json}. It reads them and
// says whether a word is right; it runs nothing.
#pragma once

#include "core/data/modulesource.h"
#include "core/data/verdict.h"
#include "core/data/verifyrequest.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dice::services {

struct VerdictCase
{
    std::string name; // "good/tiled_matmul"
    ModuleSource reference;
    ModuleSource candidate;
    std::string expect; // the word at 1e-2
    std::string expectStrict; // the word at 1e-4
    std::vector<std::string> accepted; // words that are no error either: "accept" and "tolerate"
    bool needsGpu = false; // on a CPU whatever the judge says does not count
};

// In order of their names. NotFound when there is none, InvalidData for a broken verdict.json.
Result<std::vector<VerdictCase>> readCases(const std::filesystem::path &folder);

const std::string &expectedWord(const VerdictCase &known, Protocol protocol);
bool isRight(const VerdictCase &known, Protocol protocol, const Verdict &verdict);

} // namespace dice::services
