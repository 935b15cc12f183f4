// Compiler commands as processes, their output caught in one log.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace dice::worker {

struct CommandOutcome
{
    std::vector<int> exitCodes;
    std::string log; // of all commands, cut to 256 KiB
};

// Runs the commands at once, in `folder`, and waits for all.
Result<CommandOutcome> runCommands(const std::vector<std::vector<std::string>> &commands, const std::string &folder);

} // namespace dice::worker
