#include "precompiledheaders.h"

#include "unitflags.h"

namespace dice::build {

PrecompilationPlan planPrecompiledHeaders(const Toolchain &toolchain, const std::string &folder)
{
    UnitFlags flags = unitFlags({}, toolchain);
    // The one definition that differs between candidates; the headers do not name it.
    std::erase_if(flags.common, [](const std::string &flag) { return flag.starts_with("-DTORCH_EXTENSION_NAME="); });
    PrecompilationPlan plan;
    const auto add = [&](const std::vector<std::string> &special, const std::string &place) {
        const std::string header = place + "/torch/extension.h";
        // Read when the precompiled one does not fit, and when a candidate includes it a second time.
        plan.files[header] = "#pragma once\n#include_next <torch/extension.h>\n";
        CompileCommand command{{toolchain.compiler}, 0};
        command.argv.insert(command.argv.end(), special.begin(), special.end());
        command.argv.push_back("-I" + folder + "/" + place);
        command.argv.insert(command.argv.end(), flags.common.begin(), flags.common.end());
        command.argv.insert(
            command.argv.end(),
            {"-x", "c++-header", toolchain.shimInclude + "/torch/extension.h", "-o", folder + "/" + header + ".gch"});
        plan.commands.push_back(std::move(command));
    };
    add(flags.fast, precompiledFast);
    add(flags.checked, precompiledChecked);
    return plan;
}

} // namespace dice::build
