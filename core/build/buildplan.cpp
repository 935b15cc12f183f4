#include "buildplan.h"

#include "gpuonly.h"
#include "gpuproof.h"
#include "rungs.h"

namespace dice::build {

const char *toString(RungKind kind)
{
    return kind == RungKind::Shim ? "shim" : "real_headers";
}

std::string hostProcessor()
{
    // Half precision and fused multiply-add in hardware: the same rounding as a GPU's, at a fraction of the time.
    // GCC knows the features "f16c" and "lzcnt"; clang 14, which only reads this file, does not.
    bool isModern = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#ifndef __clang__
    isModern = isModern && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("lzcnt");
#endif
    return isModern ? "x86-64-v3" : "x86-64-v2";
}

Result<BuildPlan> planBuild(const BuildRequest &request, const Toolchain &toolchain)
{
    if (request.cppSources.empty() && request.cudaSources.empty())
        return failure(ErrorCode::InvalidArgument, "the extension '" + request.name + "' has no sources");
    BuildPlan plan;
    plan.gpuSource = extractGpuSource(request, toolchain);
    plan.needsGpuReason = needsGpuReason(request);
    if (!plan.needsGpuReason.empty())
        return plan;
    if (request.headers == BuildHeaders::Fastest)
        plan.rungs.push_back(planShimRung(request, toolchain));
    if (!toolchain.torchRoot.empty())
        plan.rungs.push_back(planRealHeadersRung(request, toolchain));
    return plan;
}

} // namespace dice::build
