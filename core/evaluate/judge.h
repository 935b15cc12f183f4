// The judge: one verify request from first look to verdict. Order of words: compile_error, timeout, runtime_error,
// incorrect, rejected, correct. Never an error for what a candidate did; an error is the reference's or our own.
#pragma once

#include "core/data/modulesource.h"
#include "core/data/verdict.h"
#include "core/data/verifyrequest.h"
#include "core/evaluate/boxpool.h"
#include "core/evaluate/buildservice.h"
#include "core/evaluate/trial.h"

#include <functional>
#include <memory>
#include <string>

namespace dice::evaluate {

class Judge
{
public:
    // `stage` is "prepare", "build", "trials" or "honesty"; the verdict is what is known then.
    using StageSink = std::function<void(const std::string &stage, const Verdict &soFar)>;

    Judge(BoxPool &pool, BuildService &builds, const Sandbox &sandbox)
        : m_pool(pool)
        , m_builds(builds)
        , m_sandbox(sandbox)
    {
    }

    Result<Verdict> verify(const VerifyRequest &request, const CancelToken &cancel, const StageSink &onStage);
    Result<PreparedModule> prepare(const ModuleSource &module, const CancelToken &cancel);

private:
    BoxPool &m_pool;
    BuildService &m_builds;
    const Sandbox &m_sandbox;
};

} // namespace dice::evaluate
