#include "core/evaluate/workerprotocol.h"

namespace dice::evaluate {

namespace {

constexpr std::size_t maxTextBytes = 2000; // pybind prints whole tensors into its messages
constexpr std::size_t maxDetailBytes = 8000;

std::string cut(const Json &object, const char *field, std::size_t maxBytes)
{
    const auto found = object.find(field);
    if (found == object.end() || !found->is_string())
        return {};
    std::string text = found->get<std::string>();
    if (text.size() > maxBytes)
        text = text.substr(0, maxBytes) + " ...";
    return text;
}

std::vector<Observation> observationsOf(const Json &list)
{
    std::vector<Observation> found;
    for (const Json &item : list)
        found.push_back({cut(item, "check", 20), cut(item, "what", 100), cut(item, "detail", 500)});
    return found;
}

std::vector<LaunchSeen> launchesOf(const Json &list)
{
    std::vector<LaunchSeen> found;
    for (const Json &item : list)
        found.push_back({cut(item, "kernel", 200), item.at("threads").get<std::int64_t>(),
                         item.at("duration_ns").get<std::int64_t>()});
    return found;
}

std::vector<DeviceFaultSeen> faultsOf(const Json &list)
{
    std::vector<DeviceFaultSeen> found;
    for (const Json &item : list)
        found.push_back(
            {cut(item, "kind", 60), cut(item, "message", 600), cut(item, "source", 100), item.at("line").get<int>()});
    return found;
}

CandidateCall parseCall(const Json &reply, std::span<const std::byte> arena)
{
    CandidateCall call;
    call.error = textFailureOf(reply);
    call.operations = operationsOf(reply);
    call.launches = launchesOf(reply.at("launches"));
    call.numLaunches = reply.at("launch_count").get<std::int64_t>();
    call.faults = faultsOf(reply.at("faults"));
    if (reply.contains("observations"))
        call.observations = observationsOf(reply["observations"]);
    if (call.error)
        return call;
    Result<CallValues> values = takeValues(reply.at("values"), arena);
    Result<CallValues> later = takeValues(reply.at("values_later"), arena);
    if (!values || !later)
        throw std::runtime_error((values ? later : values).error().message);
    // Offsets differ, content may not.
    call.changedLater = digest(*values) != digest(*later);
    call.values = std::move(*values);
    return call;
}

} // namespace

WeightChange weightChangeOf(const Json &reply)
{
    const Json &changed = reply.at("changed");
    return {changed.at("parameters").get<std::int64_t>() + changed.at("buffers").get<std::int64_t>(),
            changed.at("shapes").dump()};
}

std::optional<TextFailure> textFailureOf(const Json &reply)
{
    const auto error = reply.find("error");
    if (error == reply.end() || !error->is_object())
        return std::nullopt;
    const auto line = error->find("line");
    return TextFailure{cut(*error, "code", 60), cut(*error, "message", maxTextBytes),
                       cut(*error, "detail", maxDetailBytes),
                       line != error->end() && line->is_number_integer() ? line->get<int>() : 0};
}

std::vector<OperationCount> operationsOf(const Json &reply)
{
    std::vector<OperationCount> found;
    for (const Json &item : reply.at("operations"))
        found.push_back({cut(item, "name", 100), item.at("calls").get<std::int64_t>(),
                         item.at("elements_in").get<std::int64_t>(), item.at("elements_out").get<std::int64_t>()});
    return found;
}

Result<CandidateCall> candidateCallOf(const Json &reply, std::span<const std::byte> arena)
{
    try {
        return parseCall(reply, arena);
    } catch (const std::exception &fault) {
        return failure(ErrorCode::InvalidData, "its answer could not be read", fault.what());
    }
}

} // namespace dice::evaluate
