#include "core/evaluate/candidatesession.h"

#include "core/evaluate/sessioncall.h"

namespace dice::evaluate {

namespace {

constexpr double loadLimitSeconds = 60.0; // builds not counted: they have their own limit
constexpr double callLimitSeconds = 20.0;

std::vector<std::string> sentences(const Json &list)
{
    std::vector<std::string> found;
    for (const Json &item : list)
        found.push_back(item.get<std::string>().substr(0, 300));
    return found;
}

CandidateEvidence evidenceOf(const Json &reply)
{
    CandidateEvidence evidence;
    evidence.replacedNames = sentences(reply.at("replaced_names"));
    evidence.attempts = sentences(reply.at("attempts"));
    evidence.refusedCalls = sentences(reply.at("refused_calls"));
    for (const Json &item : reply.at("late_changes"))
        evidence.lateChanges.push_back({item.at("check").get<std::string>(), item.at("what").get<std::string>(),
                                        item.at("detail").get<std::string>().substr(0, 500)});
    return evidence;
}

} // namespace

Outcome<Json> CandidateSession::call(const char *name, Json payload, double limitSeconds)
{
    return sessionCall(m_worker->client, name, std::move(payload), {limitSeconds, m_cancel, m_onBuild});
}

Outcome<bool> CandidateSession::load(const std::string &text, const WorkerClient::EventHandler &onBuild)
{
    m_onBuild = onBuild; // a candidate may also build while it is constructed or called
    return readAnswer<bool>(call("candidate.load", {{"text", text}}, loadLimitSeconds),
                            [](const Json &reply) { return reply.at("has_model").get<bool>(); });
}

Outcome<bool> CandidateSession::construct(std::uint64_t weightSeed, const CallValues &init)
{
    placeValues(box(), init);
    return readAnswer<bool>(
        call("candidate.construct", {{"weight_seed", weightSeed}, {"init", init.tree}}, loadLimitSeconds),
        [](const Json &) { return true; });
}

Outcome<CandidateCall> CandidateSession::forward(const CallValues &inputs, const ForwardOptions &options)
{
    placeValues(box(), inputs);
    const Clock::time_point started = Clock::now();
    Outcome<Json> reply = call("candidate.forward",
                               {{"values", inputs.tree},
                                {"checked", options.isChecked},
                                {"reuse", options.reusesStorage},
                                {"ghost", options.isGhost}},
                               callLimitSeconds);
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    return readAnswer<CandidateCall>(std::move(reply), [&](const Json &answer) {
        Result<CandidateCall> called = candidateCallOf(answer, box().outputArena().bytes());
        if (!called)
            throw std::runtime_error(called.error().detail);
        called->seconds = seconds;
        return std::move(*called);
    });
}

Outcome<WeightChange> CandidateSession::randomiseWeights(std::uint64_t seed)
{
    return readAnswer<WeightChange>(call("candidate.randomise_weights", {{"seed", seed}}, callLimitSeconds),
                                    weightChangeOf);
}

Outcome<CandidateEvidence> CandidateSession::evidence()
{
    return readAnswer<CandidateEvidence>(call("candidate.evidence", Json::object(), callLimitSeconds), evidenceOf);
}

} // namespace dice::evaluate
