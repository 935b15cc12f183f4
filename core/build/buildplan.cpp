#include "buildplan.h"

#include "gpuonly.h"
#include "gpuproof.h"
#include "rungs.h"

namespace dice::build {

const char *toString(RungKind kind)
{
    return kind == RungKind::Shim ? "shim" : "real_headers";
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
    plan.rungs.push_back(planShimRung(request, toolchain));
    if (!toolchain.torchRoot.empty())
        plan.rungs.push_back(planRealHeadersRung(request, toolchain));
    return plan;
}

} // namespace dice::build
