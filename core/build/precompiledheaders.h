// The shim's headers, compiled in advance: reading them is most of what a small kernel's build costs.
// GCC passes over a precompiled header that does not fit (another compiler, other definitions or language version) and
// reads the text, so nothing depends on them.
#pragma once

#include "core/build/unitflags.h"

namespace dice::build {

struct PrecompilationPlan
{
    std::map<std::string, std::string> files; // relative name -> text, written before the commands run
    std::vector<CompileCommand> commands;
};

// Makes both copies look for headers in `folder` first.
void addPrecompiled(UnitFlags &flags, const std::string &folder);

// All paths lie below `folder`.
PrecompilationPlan planPrecompiledHeaders(const Toolchain &toolchain, const std::string &folder);

} // namespace dice::build
