// Builds what candidates ask load_inline for: cache, then each rung of the plan in a build box, compiler messages
// moved to the candidate's own lines. Must not know verdicts.
#pragma once

#include "core/build/artefactcache.h"
#include "core/build/buildlog.h"
#include "core/build/buildplan.h"
#include "core/data/buildreport.h"
#include "core/evaluate/boxpool.h"
#include "core/evaluate/gpuprover.h"
#include "core/evaluate/installation.h"

#include <map>
#include <string>

namespace dice::evaluate {

enum class BuildEnd { Built, CompileError, NeedsGpu, HarnessFault };

struct BuildOutcome
{
    BuildEnd end = BuildEnd::HarnessFault;
    BuildReport report;
    std::string message; // of anything but Built
    std::string artefactName; // file put into the candidate's folder
    std::future<GpuProof> proof; // valid when it was built and has device code
    std::map<std::string, int> firstLines; // where each source begins in the candidate's file; 0: not known
};

class BuildService
{
public:
    BuildService(const Installation &installation, BoxPool &pool);

    // `request` is the event "build" of a candidate's worker. The artefact is copied into artefactFolder.
    BuildOutcome build(const Json &request, BuildHeaders headers, const std::string &artefactFolder,
                       const CancelToken &cancel);

private:
    struct Asked; // the candidate's request and where its sources begin in the candidate's file

    struct Site; // the box where one request is built, and who may stop it

    BuildOutcome buildByRungs(const Asked &asked, const build::BuildPlan &plan, const std::string &key, Site &site);
    static void takeMessages(const Asked &asked, const std::string &log, const std::vector<build::LogMessage> &found,
                             BuildOutcome &outcome);
    bool nvrtcAgrees(const Asked &asked, const build::GpuSource &source, const BuildReport &report, Site &site);
    static Result<Json> compile(const build::Rung &rung, std::map<std::string, std::string> &outputs, Site &site);
    Status deliver(const build::CachedArtefact &cached, const std::string &artefactFolder, BuildOutcome &outcome);

    BoxPool &m_pool;
    build::Toolchain m_toolchain;
    build::ArtefactCache m_cache;
    GpuProver m_prover;
};

} // namespace dice::evaluate
