#include "core/evaluate/toolchain.h"

#include "core/build/artefactkey.h"
#include "core/build/precompiledheaders.h"
#include "core/evaluate/subprocess.h"

#include <filesystem>
#include <fstream>

namespace dice::evaluate {

namespace fs = std::filesystem;

namespace {

constexpr const char *compiler = "/usr/bin/g++";
constexpr double probeLimitSeconds = 5.0;
constexpr double precompileLimitSeconds = 120.0;

} // namespace

build::Toolchain toolchainOf(const Installation &installation)
{
    build::Toolchain toolchain;
    toolchain.shimInclude = installation.shimInclude;
    toolchain.precompiled = installation.precompiledHeaders;
    toolchain.torchRoot = installation.sitePackages + "/torch";
    toolchain.pythonInclude = installation.pythonInclude;
    toolchain.cudaInclude = installation.sitePackages + "/nvidia/cu13/include";
    const SubprocessResult found = runSubprocess({compiler, "-dumpfullversion", "-dumpmachine"}, probeLimitSeconds);
    toolchain.version = build::sha256Hex(found.output + build::folderDigest(installation.shimInclude)).substr(0, 16);
    return toolchain;
}

Status precompileHeaders(const Installation &installation, const std::string &folder)
{
    build::Toolchain toolchain = toolchainOf(installation);
    toolchain.compiler = compiler;
    const fs::path fresh = folder + ".new";
    std::error_code fault;
    fs::remove_all(fresh, fault);
    const build::PrecompilationPlan plan = build::planPrecompiledHeaders(toolchain, fresh.string());
    for (const auto &[name, text] : plan.files) {
        fs::create_directories((fresh / name).parent_path(), fault);
        std::ofstream(fresh / name) << text;
    }
    for (const build::CompileCommand &command : plan.commands) {
        const SubprocessResult done = runSubprocess(command.argv, precompileLimitSeconds);
        if (done.exitStatus != 0)
            return failure(ErrorCode::ProcessFailed,
                           "the headers for kernels could not be compiled in advance into " + fresh.string(),
                           done.output);
    }
    fs::remove_all(folder, fault);
    fs::rename(fresh, folder, fault);
    return fault ? Status(failure(ErrorCode::Io, folder + " could not be written", fault.message())) : Status();
}

} // namespace dice::evaluate
