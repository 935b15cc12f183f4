// Whether device code also builds for a GPU: NVRTC in a build box, once for each text. Must not know verdicts.
#pragma once

#include "core/build/artefactcache.h"
#include "core/build/buildplan.h"
#include "core/evaluate/boxpool.h"
#include "core/evaluate/installation.h"

#include <future>
#include <string>

namespace dice::evaluate {

struct GpuProof
{
    std::string architecture; // "sm_90"; empty when NVRTC could not be asked
    bool isProven = false;
    std::string log; // what NVRTC said when it is not proven
    std::string refutation; // the line of the log that shows that no GPU can run the code; empty: none does
};

class GpuProver
{
public:
    GpuProver(const Installation &installation, BoxPool &pool, build::ArtefactCache &cache)
        : m_installation(installation)
        , m_pool(pool)
        , m_cache(cache)
    {
    }

    // In the box that has built the rest, or in one of its own when there is none.
    GpuProof prove(const build::GpuSource &source, Worker *box, const CancelToken &cancel);
    std::future<GpuProof> start(build::GpuSource source, std::unique_ptr<Worker> box, CancelToken cancel);

private:
    const Installation &m_installation;
    BoxPool &m_pool;
    build::ArtefactCache &m_cache; // remembers proofs as entries without files
};

} // namespace dice::evaluate
