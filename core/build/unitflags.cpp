#include "unitflags.h"

#include <cctype>

namespace dice::build {

namespace {

std::vector<std::string> ownFlags(const BuildRequest &request)
{
    std::vector<std::string> flags;
    for (const auto *list : {&request.extraCflags, &request.extraCudaCflags}) {
        for (const std::string &flag : *list) {
            if (flag.starts_with("-D") || flag.starts_with("-U") || flag.starts_with("-std=c++"))
                flags.push_back(flag);
        }
    }
    return flags;
}

} // namespace

std::string extensionMacro(const std::string &name)
{
    std::string result;
    for (char c : name)
        result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) ? "_" + result : result;
}

UnitFlags unitFlags(const BuildRequest &request, const Toolchain &toolchain)
{
    UnitFlags flags;
    flags.common = {"-std=c++17",
                    "-fPIC",
                    "-w",
                    "-fno-gnu-unique",
                    "-fno-semantic-interposition",
                    "-ftls-model=initial-exec",
                    "-fno-diagnostics-color",
                    "-fdiagnostics-show-caret",
                    "-march=" + toolchain.processor,
                    "-ffp-contract=fast",
                    "-fno-strict-aliasing",
                    "-DTORCH_EXTENSION_NAME=" + extensionMacro(request.name),
                    "-DTORCH_API_INCLUDE_EXTENSION_H",
                    "-I" + toolchain.shimInclude};
    const std::vector<std::string> own = ownFlags(request);
    flags.common.insert(flags.common.end(), own.begin(), own.end());
    flags.fast = {"-O2"};
    flags.checked = {"-O1",
                     "-g1",
                     "-DDICE_CHECKED=1",
                     "-fsanitize=thread",
                     "--param=tsan-instrument-func-entry-exit=0",
                     "-fno-inline-small-functions",
                     "-fno-tree-sra"};
    return flags;
}

CompileCommand beginCommand(const Toolchain &toolchain, const std::vector<std::string> &own, const UnitFlags &flags)
{
    CompileCommand command{{toolchain.compiler}, 0};
    command.argv.insert(command.argv.end(), own.begin(), own.end());
    command.argv.insert(command.argv.end(), flags.common.begin(), flags.common.end());
    return command;
}

} // namespace dice::build
