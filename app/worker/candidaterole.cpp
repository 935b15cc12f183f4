#include "app/worker/candidaterole.h"

#include "app/worker/auditlog.h"
#include "app/worker/candidatemodule.h"
#include "app/worker/operationsjson.h"
#include "app/worker/pythonjson.h"
#include "app/worker/refusedcalls.h"

#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace py = pybind11;

namespace dice::worker {

namespace {

// Long enough for work that goes on behind a return, short beside a call.
constexpr std::chrono::milliseconds lateLook{5};

Json launchesJson(const cpudevice::CallReport &report)
{
    Json list = Json::array();
    for (const cpudevice::LaunchEntry &launch : report.launches) {
        const auto blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
        const auto threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
        list.push_back({{"kernel", launch.kernel},
                        {"line", launch.line},
                        {"source", launch.source},
                        {"threads", blocks * threads},
                        {"duration_ns", launch.durationNs}});
    }
    return list;
}

Json faultsJson(const cpudevice::CallReport &report)
{
    Json list = Json::array();
    for (const cpudevice::DeviceFault &fault : report.faults)
        list.push_back(
            {{"kind", fault.kind}, {"message", fault.message}, {"source", fault.source}, {"line", fault.line}});
    return list;
}

} // namespace

CandidateRole::CandidateRole(Arenas &arenas, FrameChannel &channel)
    : m_arenas(arenas)
    , m_channel(channel)
    , m_values(arenas)
    , m_task(py::module_::import("dice_worker.task"))
    , m_observe(py::module_::import("dice_worker.observe"))
{
    py::module_::import("dice_worker.cpudevice").attr("install")();
    m_task.attr("configure")();
    m_record = py::module_::import("dice_worker.loadinline")
                   .attr("install")(py::cpp_function([this](const py::object &request) { return build(request); }));
    m_baseline = m_observe.attr("snapshot")();
    OperationLedger::install();
    installRefusedCallHandler();
}

Result<Json> CandidateRole::answer(const ipc::Envelope &request)
{
    using Handler = Json (CandidateRole::*)(const Json &);
    static const std::map<std::string, Handler> handlers{
        {"candidate.load", &CandidateRole::load},
        {"candidate.construct", &CandidateRole::construct},
        {"candidate.forward", &CandidateRole::forward},
        {"candidate.randomise_weights", &CandidateRole::randomiseWeights},
        {"candidate.evidence", &CandidateRole::evidence},
    };
    const auto found = handlers.find(request.name);
    if (found == handlers.end())
        return failure(ErrorCode::InvalidArgument, "the role candidate has no request '" + request.name + "'");
    m_arenas.restart();
    m_request = request.id;
    try {
        return (this->*found->second)(request.payload);
    } catch (const py::error_already_set &error) {
        return Json{{"error", describeError(error)}};
    }
}

Json CandidateRole::load(const Json &payload)
{
    armAuditLog();
    m_module = m_task.attr("loadModule")(toPython(payload.at("text")), "candidate");
    const bool hasModel = py::hasattr(m_module, "ModelNew");
    return {{"has_model", hasModel}};
}

// The candidate waits in load_inline: the judge builds and answers with a path in this box, or with why not.
py::object CandidateRole::build(const py::object &request)
{
    m_channel.send(ipc::makeEvent(m_request, "build", toJson(request)));
    std::optional<ipc::Envelope> answer;
    {
        const py::gil_scoped_release released;
        answer = m_channel.receive();
    }
    if (!answer)
        ::_exit(0);
    const Json &payload = answer->payload;
    if (payload.contains("failed"))
        return toPython(payload);
    const std::string name = toJson(request).value("name", std::string("extension"));
    Result<_object *> module = loadCandidateModule(payload.at("artefact").get<std::string>(), name);
    if (!module)
        return toPython(
            {{"failed",
              {{"code", "compile_error"}, {"message", module.error().message}, {"log", module.error().detail}}}});
    return py::reinterpret_steal<py::object>(*module);
}

Json CandidateRole::construct(const Json &payload)
{
    const py::object init = m_values.unpack(payload.at("init"));
    m_inputs = py::object();
    m_model = m_task.attr("construct")(m_module, "ModelNew", init, toPython(payload.at("weight_seed")));
    m_observer = m_observe.attr("Observer")(m_model, m_record);
    return {{"num_parameters", 0}};
}

// "reuse": new content in the storage of the call before.
py::object CandidateRole::takeInputs(const Json &payload)
{
    const Json &tree = payload.at("values");
    if (!payload.value("reuse", false) || !m_inputs || !m_values.refill(m_inputs, tree))
        m_inputs = m_values.unpack(tree);
    return m_inputs;
}

Json CandidateRole::forward(const Json &payload)
{
    if (!m_observer)
        throw std::logic_error("candidate.forward before candidate.construct");
    const py::object inputs = takeInputs(payload);
    cpudevice::Device &device = cpudevice::Device::instance();
    Json reply = Json::object();
    py::object output;
    device.beginCall(
        {.isChecked = payload.value("checked", false), .isPoisoned = true, .isGhost = payload.value("ghost", false)});
    OperationLedger::start();
    try {
        const py::tuple answered = m_observer.attr("call")(inputs);
        output = answered[0];
        reply["observations"] = toJson(answered[1]);
    } catch (const py::error_already_set &error) {
        reply["error"] = describeError(error);
    }
    reply["operations"] = operationsJson(OperationLedger::stop());
    if (!reply.contains("error")) {
        Json seen;
        reply["values"] = m_values.packOutput(output, &seen);
        for (Json &observation : seen)
            reply["observations"].push_back(std::move(observation));
    }
    const cpudevice::CallReport report = device.endCall();
    reply["launches"] = launchesJson(report);
    reply["launch_count"] = report.launchCount;
    reply["faults"] = faultsJson(report);
    if (!reply.contains("error"))
        lookAgain(reply, output);
    return reply;
}

void CandidateRole::lookAgain(Json &reply, const py::object &output)
{
    {
        const py::gil_scoped_release released; // threads of the candidate may go on behind its return
        std::this_thread::sleep_for(lateLook);
    }
    reply["values_later"] = m_values.packOutput(output, nullptr);
}

Json CandidateRole::randomiseWeights(const Json &payload)
{
    const py::module_ weights = py::module_::import("dice_worker.weights");
    return {{"changed", toJson(weights.attr("randomiseWeights")(m_model, toPython(payload.at("seed"))))}};
}

Json CandidateRole::evidence(const Json &)
{
    return {{"replaced_names", toJson(m_baseline.attr("replaced")())},
            {"late_changes", m_observer ? toJson(m_observer.attr("lateChanges")()) : Json::array()},
            {"attempts", auditedAttempts()},
            {"refused_calls", refusedCalls()},
            {"builds", toJson(m_record.attr("builds"))},
            {"calls", toJson(m_record.attr("calls"))}};
}

} // namespace dice::worker
