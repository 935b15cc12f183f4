// One case from its texts to its verdict. Single use.
#pragma once

#include "core/evaluate/honesty.h"
#include "core/evaluate/judge.h"

namespace dice::evaluate {

class Hearing
{
public:
    Hearing(BoxPool &pool, BuildService &builds, const VerifyRequest &request, CancelToken cancel,
            const Judge::StageSink &onStage);

    Result<Verdict> hear();

private:
    Status open(); // takes the workers
    Status openTask(); // loads and constructs
    Result<std::optional<Ending>> bringInCandidate();
    Result<std::optional<Ending>> loadCandidate(); // builds on the way
    Result<std::optional<Ending>> constructCandidate();
    Result<std::optional<Ending>> runTrials();
    Result<std::optional<Ending>> lookAtHonesty();
    Json answerBuild(const Json &request);
    std::optional<Ending> endingOfBuilds(const std::optional<Ending> &otherwise) const;
    std::optional<Ending> takeProofs();
    Verdict &close(std::optional<Ending> ending);

    BoxPool &m_pool;
    BuildService &m_builds;
    const VerifyRequest &m_request;
    CancelToken m_cancel;
    const Judge::StageSink &m_onStage;
    std::unique_ptr<CaseUnderTest> m_subject;
    std::uint64_t m_weightSeed = 0;
    CallValues m_init;
    Verdict m_verdict;
    std::optional<BuildOutcome> m_failedBuild;
    std::vector<std::future<GpuProof>> m_proofs;
};

} // namespace dice::evaluate
