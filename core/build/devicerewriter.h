// Turns CUDA C++ into C++ for the CPU device: launches, __shared__ variables, device variables. Line numbers stay.
// Everything else of the language is macros and functions of include/dice/device.h.
#pragma once

#include "core/build/buildrequest.h"

#include <string>

namespace dice::build {

// firstSite: number of the first launch; each launch of an extension has its own. Returns the rewritten text.
struct RewrittenSource
{
    std::string text;
    int launches = 0;
};

RewrittenSource rewriteForCpu(const SourceText &source, int sourceIndex, int firstSite);

} // namespace dice::build
