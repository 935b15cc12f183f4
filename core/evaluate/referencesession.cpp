#include "core/evaluate/referencesession.h"

#include "core/evaluate/sessioncall.h"

namespace dice::evaluate {

namespace {

constexpr double loadLimitSeconds = 60.0;
constexpr double callLimitSeconds = 60.0; // eager PyTorch on one busy core
constexpr double auditSeconds = 2.0;

// What the CPU device runs in a reasonable time, a call.
constexpr double maxFlops = 2e8;
constexpr double maxElements = 4e6;

ScalingPlan planOf(const Json &json)
{
    ScalingPlan plan;
    if (!json.is_object())
        return plan;
    plan.status = json.value("status", "");
    plan.reason = json.value("reason", "");
    for (const Json &size : json.value("sizes", Json::array())) // [label, as written, as used]
        plan.sizes.push_back(
            {size.at(0).get<std::string>(), {size.at(1).get<std::int64_t>(), size.at(2).get<std::int64_t>()}});
    return plan;
}

} // namespace

Outcome<Json> ReferenceSession::call(const char *name, Json payload, double limitSeconds)
{
    return sessionCall(m_worker->client, name, std::move(payload), {limitSeconds, m_cancel, {}});
}

template <typename T, typename Read> Outcome<T> ReferenceSession::read(Outcome<Json> reply, Read read)
{
    return readAnswer<T>(std::move(reply), read);
}

Outcome<ScalingPlan> ReferenceSession::load(const std::string &text, Sizes sizes)
{
    Json payload{{"text", text}};
    if (sizes == Sizes::ScaledForCpu)
        payload["caps"] = {{"max_flops", maxFlops}, {"max_elements", maxElements}};
    return read<ScalingPlan>(call("task.load", std::move(payload), loadLimitSeconds), [](const Json &reply) {
        ScalingPlan plan = planOf(reply.at("scaling"));
        plan.constants = reply.at("constants");
        return plan;
    });
}

Outcome<CallValues> ReferenceSession::construct(std::uint64_t weightSeed, const Json &constants)
{
    return read<CallValues>(
        call("task.construct", {{"weight_seed", weightSeed}, {"constants", constants}}, loadLimitSeconds),
        [this](const Json &reply) { return valuesOf(reply.at("init"), arena()); });
}

Outcome<CallValues> ReferenceSession::inputs(std::uint64_t seed)
{
    return read<CallValues>(call("task.inputs", {{"seed", seed}}, callLimitSeconds),
                            [this](const Json &reply) { return valuesOf(reply.at("values"), arena()); });
}

Outcome<std::optional<CallValues>> ReferenceSession::nearDuplicate(const CallValues &inputs, std::uint64_t seed)
{
    using Maybe = std::optional<CallValues>;
    placeValues(m_worker->client.box(), inputs);
    return read<Maybe>(call("task.near_duplicate", {{"values", inputs.tree}, {"seed", seed}}, callLimitSeconds),
                       [this](const Json &reply) {
                           return reply.at("changed").is_null() ? Maybe()
                                                                : Maybe(valuesOf(reply.at("values"), arena()));
                       });
}

Outcome<ExpectedOutput> ReferenceSession::forward(const CallValues &inputs)
{
    placeValues(m_worker->client.box(), inputs);
    return read<ExpectedOutput>(call("task.forward", {{"values", inputs.tree}}, callLimitSeconds),
                                [this](const Json &reply) {
                                    return ExpectedOutput{valuesOf(reply.at("values"), arena()), operationsOf(reply)};
                                });
}

Outcome<WeightChange> ReferenceSession::randomiseWeights(std::uint64_t seed)
{
    return read<WeightChange>(call("task.randomise_weights", {{"seed", seed}}, callLimitSeconds), weightChangeOf);
}

Outcome<std::vector<Observation>> ReferenceSession::audit(std::uint64_t seed)
{
    return read<std::vector<Observation>>(
        call("task.audit", {{"seed", seed}, {"seconds", auditSeconds}}, callLimitSeconds), [](const Json &reply) {
            std::vector<Observation> found;
            for (const Json &item : reply.at("observations"))
                found.push_back({item.at("check").get<std::string>(), item.at("what").get<std::string>(),
                                 item.at("detail").get<std::string>()});
            return found;
        });
}

} // namespace dice::evaluate
