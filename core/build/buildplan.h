// Planning of a build: from the candidate's text to files and command lines, as pure functions.
// The commands run in a build box, with the folder of the files as working folder; nothing here starts a process.
//   Result<BuildPlan> plan = planBuild(request, toolchain);
//   for (const Rung &rung : plan->rungs) { run rung.commands in the box; stop at the first that succeeds }
// compile_error is the verdict only after the last rung.
#pragma once

#include "core/base/result.h"
#include "core/build/buildrequest.h"

#include <map>
#include <string>
#include <vector>

namespace dice::build {

// The -march for this machine: "x86-64-v3" where it has what that names, else "x86-64-v2".
std::string hostProcessor();

// Where things are, as paths inside the build box.
struct Toolchain
{
    std::string compiler = "g++";
    std::string objdump = "objdump";
    std::string shimInclude; // core/build/include of this program
    std::string precompiled; // folder that planPrecompiledHeaders filled; empty: none
    std::string torchRoot; // site-packages/torch; empty: no rung with the real headers
    std::string pythonInclude; // of the environment's Python
    std::string cudaInclude; // site-packages/nvidia/cu13/include; empty: no GPU proof
    std::string processor = hostProcessor(); // -march
    std::string version; // of compiler and headers together: part of the artefact key
};

enum class RungKind { Shim, RealHeaders };
const char *toString(RungKind kind); // "shim", "real_headers"

struct CompileCommand
{
    std::vector<std::string> argv; // argv[0] is looked up in the box's PATH
    int parallelGroup = 0; // commands of one group may run at once; groups run in order

    bool operator==(const CompileCommand &) const = default;
};

struct Rung
{
    RungKind kind = RungKind::Shim;
    std::map<std::string, std::string> files; // relative name -> text, written before the commands run
    std::vector<CompileCommand> commands; // the first command that fails ends the rung
    std::vector<std::string> outputs; // outputs[0] is the artefact to load; all go to one folder
};

// Device code for NVRTC: the proof that it also builds for a GPU.
struct GpuSource
{
    std::string text;
    std::vector<std::string> nameExpressions; // template instances that launches use
    std::vector<std::string> options; // without the architecture
};

struct BuildPlan
{
    // Not empty: the CPU device cannot run this (inline PTX, wmma, cuBLAS handles, ...); one sentence, no rungs.
    std::string needsGpuReason;
    std::vector<Rung> rungs;
    GpuSource gpuSource; // empty text: no device code
};

Result<BuildPlan> planBuild(const BuildRequest &request, const Toolchain &toolchain);

} // namespace dice::build
