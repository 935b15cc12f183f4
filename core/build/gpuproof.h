// The proof that device code builds for a GPU: NVRTC from the torch wheel, loaded at run time.
// compileForGpu runs inside the build box (it parses untrusted text); extraction is a pure function.
#pragma once

#include "core/base/result.h"
#include "core/build/buildplan.h"
#include "core/build/buildrequest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dice::build {

// Kernels, device functions, types, constants and macros of the CUDA sources; host functions and their headers
// are left out, line numbers stay.
GpuSource extractGpuSource(const BuildRequest &request, const Toolchain &toolchain);

struct GpuCompileResult
{
    bool isBuilt = false;
    std::string log;
    std::string cubin;
    std::int64_t durationNs = 0;
};

// architecture: "sm_90". nvrtcLibrary: path of libnvrtc.so.13. An error only when NVRTC itself cannot be used.
Result<GpuCompileResult> compileForGpu(const GpuSource &source, const std::string &architecture,
                                       const std::string &nvrtcLibrary);

// The line of the compiler's log that shows that the candidate itself cannot run on the GPU (too much shared memory,
// host functions called by kernels); empty when there is none. Any other failure may come from the extraction: then
// the build is "not proven", not wrong.
std::string gpuRefutation(const std::string &log);

} // namespace dice::build
