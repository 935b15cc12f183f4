#include "precompiledheaders.h"

namespace dice::build {

namespace {

constexpr const char *fastPlace = "fast"; // folders below Toolchain::precompiled
constexpr const char *checkedPlace = "checked";

} // namespace

void addPrecompiled(UnitFlags &flags, const std::string &folder)
{
    flags.fast.push_back("-I" + folder + "/" + fastPlace);
    flags.checked.push_back("-I" + folder + "/" + checkedPlace);
}

PrecompilationPlan planPrecompiledHeaders(const Toolchain &toolchain, const std::string &folder)
{
    UnitFlags flags = unitFlags({}, toolchain);
    // The one definition that differs between candidates; the headers do not name it.
    std::erase_if(flags.common, [](const std::string &flag) { return flag.starts_with("-DTORCH_EXTENSION_NAME="); });
    addPrecompiled(flags, folder);
    PrecompilationPlan plan;
    const auto add = [&](const std::vector<std::string> &own, const std::string &place) {
        const std::string header = place + "/torch/extension.h";
        // Read when the precompiled one does not fit, and when a candidate includes it a second time.
        plan.files[header] = "#pragma once\n#include_next <torch/extension.h>\n";
        CompileCommand command = beginCommand(toolchain, own, flags);
        command.argv.insert(
            command.argv.end(),
            {"-x", "c++-header", toolchain.shimInclude + "/torch/extension.h", "-o", folder + "/" + header + ".gch"});
        plan.commands.push_back(std::move(command));
    };
    add(flags.fast, fastPlace);
    add(flags.checked, checkedPlace);
    return plan;
}

} // namespace dice::build
