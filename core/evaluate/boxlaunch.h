// The step between fork and exec of a box: limits, control group, descriptors, filter. Linux only.
#pragma once

#include "core/base/result.h"
#include "core/evaluate/sandbox.h"

#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

namespace dice::evaluate {

struct BoxLaunch
{
    std::vector<std::string> arguments; // argv, the program's path first
    BoxLimits limits;
    std::array<int, 6> descriptors{}; // become 0..5 of the process; all above 15, or -1 for none
    std::vector<std::string> joinFiles;
    std::string seccompProgram; // applied to the process itself when it is no bubblewrap that does it
};

Result<pid_t> startProcess(const BoxLaunch &launch);

} // namespace dice::evaluate
