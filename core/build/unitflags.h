// The compiler's flags for one unit of a candidate. Optimisation is ours to choose; of the candidate's own flags,
// definitions and the language's version count.
#pragma once

#include "core/build/buildplan.h"

namespace dice::build {

struct UnitFlags
{
    std::vector<std::string> common;
    std::vector<std::string> fast; // of the copy that runs
    std::vector<std::string> checked; // of the copy that reports every access
};

UnitFlags unitFlags(const BuildRequest &request, const Toolchain &toolchain);

// The compiler with the flags of one copy; what is read and written is still to be added. The copy's own flags come
// first: a precompiled header is looked for in their folder before the header itself.
CompileCommand beginCommand(const Toolchain &toolchain, const std::vector<std::string> &own, const UnitFlags &flags);

// The module's name as a macro value: only characters of an identifier.
std::string extensionMacro(const std::string &name);

} // namespace dice::build
