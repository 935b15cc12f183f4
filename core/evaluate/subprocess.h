// A short trusted process run to its end: for probes, never for candidates.
#pragma once

#include <string>
#include <vector>

namespace dice::evaluate {

struct SubprocessResult
{
    int exitStatus = -1; // -1: could not be started, was killed or took too long
    std::string output; // stdout and stderr, cut to 4 KiB
};

SubprocessResult runSubprocess(const std::vector<std::string> &arguments, double limitSeconds);

} // namespace dice::evaluate
