#include "core/evaluate/hearing.h"

#include "core/evaluate/randomseed.h"

#include <cstdio>
#include <future>

namespace dice::evaluate {

namespace {

TrialResult trialOf(std::uint64_t seed, const Comparison &comparison)
{
    return {seed,
            comparison.isEqual,
            comparison.worstError,
            comparison.worstIndex,
            comparison.worstPath,
            comparison.expected,
            comparison.actual};
}

std::string describeDifference(const Comparison &comparison)
{
    if (!comparison.difference.empty())
        return comparison.difference;
    const std::string place = comparison.worstPath.empty() ? "the output" : "output " + comparison.worstPath;
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, "%.6g, expected %.6g", comparison.actual, comparison.expected);
    return std::to_string(comparison.numWrong) + " elements of " + place + " are wrong; the worst, at index "
        + std::to_string(comparison.worstIndex) + ", is " + numbers;
}

} // namespace

Hearing::Hearing(BoxPool &pool, BuildService &builds, const VerifyRequest &request, CancelToken cancel,
                 const Judge::StageSink &onStage)
    : m_pool(pool)
    , m_builds(builds)
    , m_request(request)
    , m_cancel(std::move(cancel))
    , m_onStage(onStage)
{
    m_verdict.protocol = toString(request.protocol);
    m_verdict.device = "cpu";
    m_verdict.tolerance = tolerance(request.protocol);
}

Result<Verdict> Hearing::hear()
{
    m_onStage("prepare", m_verdict);
    if (Status opened = open(); !opened)
        return tl::unexpected(opened.error());
    using Step = Result<std::optional<Ending>> (Hearing::*)();
    for (const Step step : {&Hearing::bringInCandidate, &Hearing::runTrials, &Hearing::lookAtHonesty}) {
        Result<std::optional<Ending>> ending = (this->*step)();
        if (!ending)
            return tl::unexpected(ending.error());
        if (*ending)
            return close(*ending);
    }
    return close(std::nullopt);
}

// The task and the candidate's file load at once: two processes, two processors.
Status Hearing::open()
{
    // Both are wanted at once, so that they start side by side.
    auto other = std::async(std::launch::async, [this] { return m_pool.take(WorkerRole::Reference, m_cancel); });
    Result<std::unique_ptr<Worker>> candidate = m_pool.take(WorkerRole::Candidate, m_cancel);
    Result<std::unique_ptr<Worker>> reference = other.get();
    if (!candidate || !reference)
        return tl::unexpected((candidate ? reference : candidate).error());
    m_subject.reset(new CaseUnderTest{ReferenceSession(std::move(*reference), m_cancel),
                                      CandidateSession(std::move(*candidate), m_cancel)});
    m_subject->candidateText = m_request.candidate.text;
    m_subject->tolerance = m_verdict.tolerance;
    m_subject->cancel = m_cancel;
    return {};
}

Result<std::optional<Ending>> Hearing::bringInCandidate()
{
    Result<std::optional<Ending>> ending = loadCandidate();
    if (ending && !*ending)
        ending = constructCandidate();
    // A task without inputs is bad input, whatever became of the candidate. Otherwise the trials find out.
    if (ending && *ending && m_subject->plan.status != "cannot") {
        if (Outcome<CallValues> inputs = m_subject->reference.inputs(secretSeed()); !inputs)
            return tl::unexpected(referenceError(inputs));
    }
    return ending;
}

Result<std::optional<Ending>> Hearing::loadCandidate()
{
    m_onStage("build", m_verdict);
    m_weightSeed = secretSeed();
    auto task = std::async(std::launch::async, [this] { return openTask(); });
    Outcome<bool> loaded = m_subject->candidate.load(m_request.candidate.text,
                                                     [this](const Json &request) { return answerBuild(request); });
    if (Status ready = task.get(); !ready)
        return tl::unexpected(ready.error());
    for (const auto &[name, sizes] : m_subject->plan.sizes)
        if (sizes.first != sizes.second)
            m_verdict.scaledSizes.push_back({name, sizes.first, sizes.second});
    if (m_subject->plan.status == "cannot")
        return std::optional(
            Ending{VerdictWord::NeedsGpu, "the task is too big for the CPU device: " + m_subject->plan.reason, 0});
    if (!loaded) {
        Result<Ending> ending = endingOf(loaded);
        if (!ending)
            return tl::unexpected(ending.error());
        return endingOfBuilds(std::move(*ending));
    }
    if (std::optional<Ending> ofBuilds = endingOfBuilds(std::nullopt))
        return ofBuilds;
    if (!*loaded)
        return std::optional(Ending{VerdictWord::CompileError, "the file has no class ModelNew", 0});
    return std::optional<Ending>();
}

Status Hearing::openTask()
{
    ReferenceSession &reference = m_subject->reference;
    Outcome<ScalingPlan> plan = reference.load(m_request.reference.text, ReferenceSession::Sizes::ScaledForCpu);
    if (!plan)
        return tl::unexpected(referenceError(plan));
    m_subject->plan = std::move(*plan);
    Outcome<CallValues> init = reference.construct(m_weightSeed, Json::object());
    if (!init)
        return tl::unexpected(referenceError(init));
    m_init = std::move(*init);
    return {};
}

// A candidate may swallow the exception of a failed build; the build has failed all the same.
std::optional<Ending> Hearing::endingOfBuilds(const std::optional<Ending> &otherwise) const
{
    if (!m_failedBuild)
        return otherwise;
    Ending ending;
    ending.reason = m_failedBuild->message;
    ending.word = m_failedBuild->end == BuildEnd::NeedsGpu ? VerdictWord::NeedsGpu
        : m_failedBuild->end == BuildEnd::HarnessFault     ? VerdictWord::HarnessError
                                                           : VerdictWord::CompileError;
    for (const BuildMessage &message : m_failedBuild->report.messages)
        if (message.severity == Severity::Error && ending.line == 0)
            ending.line = message.line;
    return ending;
}

Json Hearing::answerBuild(const Json &request)
{
    BuildOutcome outcome = m_builds.build(request, m_request.headers, m_subject->candidate.artefactFolder(), m_cancel);
    BuildReport &report = m_verdict.build;
    const std::int64_t before = report.durationNs;
    const bool isFirst = report.rung.empty() && report.log.empty();
    if (isFirst || !outcome.report.isBuilt)
        report = outcome.report;
    report.durationNs = before + outcome.report.durationNs;
    for (const auto &[source, line] : outcome.firstLines)
        m_subject->firstLines.emplace(source, line);
    if (outcome.end == BuildEnd::Built) {
        m_proofs.push_back(std::move(outcome.proof));
        return {{"artefact", m_subject->candidate.artefactPath(outcome.artefactName)}};
    }
    const char *code = outcome.end == BuildEnd::NeedsGpu ? "needs_gpu" : "compile_error";
    Json answer{{"failed", {{"code", code}, {"message", outcome.message}, {"log", outcome.report.log}}}};
    if (!m_failedBuild)
        m_failedBuild = std::move(outcome);
    return answer;
}

Result<std::optional<Ending>> Hearing::constructCandidate()
{
    Outcome<bool> constructed = m_subject->candidate.construct(m_weightSeed, m_init);
    if (constructed)
        return endingOfBuilds(std::nullopt);
    Result<Ending> ending = endingOf(constructed);
    if (!ending)
        return tl::unexpected(ending.error());
    return endingOfBuilds(std::move(*ending));
}

Result<std::optional<Ending>> Hearing::runTrials()
{
    m_onStage("trials", m_verdict);
    for (int i = 0; i < m_request.numTrials; ++i) {
        const std::uint64_t seed = secretSeed();
        Outcome<CallValues> inputs = m_subject->reference.inputs(seed);
        if (!inputs)
            return tl::unexpected(referenceError(inputs));
        ForwardOptions options;
        options.isChecked = i == 0;
        Result<ComparedCall> called = compareCall(*m_subject, *inputs, options);
        if (!called)
            return tl::unexpected(called.error());
        if (called->ending)
            return endingOfBuilds(called->ending);
        m_verdict.trials.push_back(trialOf(seed, called->comparison));
        if (!called->comparison.isEqual)
            return std::optional(Ending{VerdictWord::Incorrect, describeDifference(called->comparison), 0});
        m_subject->precision.add(called->expected, *called->call.values);
    }
    return std::optional<Ending>();
}

Result<std::optional<Ending>> Hearing::lookAtHonesty()
{
    m_onStage("honesty", m_verdict);
    Result<HonestyResult> honesty = checkHonesty(*m_subject, [this](const HonestyResult &soFar) {
        m_verdict.detectors = soFar.rows;
        m_onStage("honesty", m_verdict);
    });
    if (!honesty)
        return tl::unexpected(honesty.error());
    m_verdict.detectors = std::move(honesty->rows);
    for (std::string &warning : honesty->warnings)
        m_verdict.warnings.push_back(std::move(warning));
    return honesty->ending;
}

// Code that runs on the CPU device and could not run on any GPU does not build.
std::optional<Ending> Hearing::takeProofs()
{
    std::optional<Ending> refuted;
    BuildReport &report = m_verdict.build;
    int numOpen = 0, numProven = 0;
    for (std::future<GpuProof> &pending : m_proofs) {
        if (!pending.valid())
            continue; // no device code
        const GpuProof proof = pending.get();
        ++numOpen;
        numProven += proof.isProven ? 1 : 0;
        if (!proof.architecture.empty())
            report.gpuArchitecture = proof.architecture;
        if (!proof.log.empty())
            report.log += "\nNVRTC for " + proof.architecture + ":\n" + proof.log;
        if (!proof.refutation.empty() && !refuted)
            refuted = Ending{VerdictWord::CompileError, "the kernels do not build for a GPU: " + proof.refutation, 0};
    }
    report.isGpuProven = numOpen > 0 && numProven == numOpen;
    return refuted;
}

Verdict &Hearing::close(std::optional<Ending> ending)
{
    const std::optional<Ending> refuted = takeProofs();
    const bool isDecided = ending
        && (ending->word == VerdictWord::CompileError || ending->word == VerdictWord::NeedsGpu
            || ending->word == VerdictWord::HarnessError);
    if (refuted && !isDecided)
        ending = refuted;
    m_verdict.word = ending ? ending->word : VerdictWord::Correct;
    m_verdict.reason = ending
        ? ending->reason
        : "all " + std::to_string(m_verdict.trials.size()) + " trials and every honesty check are right";
    m_verdict.line = ending ? ending->line : 0;
    if (m_verdict.detectors.empty())
        m_verdict.detectors = rowsWithoutHonesty(m_verdict.word, m_verdict.reason);
    if (m_subject)
        for (const auto &[name, record] : m_subject->launches)
            m_verdict.launches.push_back(record);
    return m_verdict;
}

} // namespace dice::evaluate
