// The shim's headers, compiled in advance: reading them is most of what a small kernel's build costs.
// GCC passes over a precompiled header that does not fit (another compiler, other definitions or language version) and
// reads the text, so nothing depends on them.
#pragma once

#include "core/build/buildplan.h"

namespace dice::build {

inline constexpr const char *precompiledFast = "fast"; // folders below Toolchain::precompiled
inline constexpr const char *precompiledChecked = "checked";

struct PrecompilationPlan
{
    std::map<std::string, std::string> files; // relative name -> text, written before the commands run
    std::vector<CompileCommand> commands;
};

// All paths lie below `folder`.
PrecompilationPlan planPrecompiledHeaders(const Toolchain &toolchain, const std::string &folder);

} // namespace dice::build
