#include "app/worker/referencerole.h"

#include "app/worker/operationsjson.h"
#include "app/worker/pythonjson.h"

namespace py = pybind11;

namespace dice::worker {

namespace {

std::int64_t numParameters(py::handle model)
{
    std::int64_t count = 0;
    if (py::hasattr(model, "parameters"))
        for (const py::handle parameter : model.attr("parameters")())
            count += parameter.attr("numel")().cast<std::int64_t>();
    return count;
}

Json integerConstants(py::handle module)
{
    Json constants = Json::object();
    for (const auto &[name, value] : module.attr("__dict__").cast<py::dict>())
        if (PyLong_CheckExact(value.ptr()) && !py::str(name).cast<std::string>().starts_with("_"))
            constants[py::str(name).cast<std::string>()] = toJson(value);
    return constants;
}

} // namespace

ReferenceRole::ReferenceRole(Arenas &arenas)
    : m_arenas(arenas)
    , m_values(arenas)
    , m_task(py::module_::import("dice_worker.task"))
{
    py::module_::import("dice_worker.cpudevice").attr("install")();
    m_task.attr("configure")();
    OperationLedger::install();
}

Result<Json> ReferenceRole::answer(const std::string &name, const Json &payload)
{
    using Handler = Json (ReferenceRole::*)(const Json &);
    static const std::map<std::string, Handler> handlers{
        {"prepare", &ReferenceRole::prepare},
        {"task.load", &ReferenceRole::load},
        {"task.construct", &ReferenceRole::construct},
        {"task.inputs", &ReferenceRole::inputs},
        {"task.near_duplicate", &ReferenceRole::nearDuplicate},
        {"task.forward", &ReferenceRole::forward},
        {"task.randomise_weights", &ReferenceRole::randomiseWeights},
        {"task.audit", &ReferenceRole::audit},
    };
    const auto found = handlers.find(name);
    if (found == handlers.end())
        return failure(ErrorCode::InvalidArgument, "the role reference has no request '" + name + "'");
    m_arenas.restart();
    try {
        return (this->*found->second)(payload);
    } catch (const py::error_already_set &error) {
        return Json{{"error", describeError(error)}};
    }
}

Json ReferenceRole::prepare(const Json &payload)
{
    const py::module_ normalise = py::module_::import("dice_worker.normalise");
    const py::object text = toPython(payload.at("text"));
    Json reply{{"normalised_text", ""}, {"notes", Json::array()}, {"problems", Json::array()}};
    for (const Json &problem : toJson(normalise.attr("check")(text)))
        reply["problems"].push_back(problem.at("message"));
    if (!reply["problems"].empty())
        return reply;
    try {
        const py::tuple normalised = normalise.attr("normalise")(text);
        reply["normalised_text"] = toJson(normalised[0]);
        reply["notes"] = toJson(normalised[1]);
    } catch (const py::error_already_set &error) {
        reply["problems"].push_back(describeError(error).at("message"));
    }
    return reply;
}

Json ReferenceRole::load(const Json &payload)
{
    py::object text = toPython(payload.at("text"));
    Json reply{{"scaling", nullptr}};
    if (payload.contains("caps")) {
        const py::module_ scaling = py::module_::import("dice_worker.scaling");
        const py::object plan = scaling.attr("plan")(text, toPython(payload["caps"].at("max_flops")),
                                                     toPython(payload["caps"].at("max_elements")));
        reply["scaling"] = toJson(plan);
        const Json &source = reply["scaling"].value("source", Json());
        if (source.is_string() && !source.get_ref<const std::string &>().empty())
            text = toPython(source);
        reply["scaling"].erase("source");
    }
    m_module = m_task.attr("loadModule")(text, "reference");
    reply["constants"] = integerConstants(m_module);
    return reply;
}

Json ReferenceRole::construct(const Json &payload)
{
    const py::object missing = m_task.attr("setConstants")(m_module, toPython(payload.at("constants")));
    const py::object init = m_task.attr("initInputs")(m_module);
    Json reply{{"missing", toJson(missing)}, {"init", m_values.pack(init)}};
    m_model = m_task.attr("construct")(m_module, "Model", init, toPython(payload.at("weight_seed")));
    reply["num_parameters"] = numParameters(m_model);
    return reply;
}

Json ReferenceRole::inputs(const Json &payload)
{
    return {{"values", m_values.pack(m_task.attr("makeInputs")(m_module, toPython(payload.at("seed"))))}};
}

Json ReferenceRole::nearDuplicate(const Json &payload)
{
    const py::module_ weights = py::module_::import("dice_worker.weights");
    const py::tuple changed
        = weights.attr("nearDuplicate")(m_values.unpack(payload.at("values")), toPython(payload.at("seed")));
    return {{"values", m_values.pack(changed[0])}, {"changed", toJson(changed[1])}};
}

Json ReferenceRole::forward(const Json &payload)
{
    const py::object inputs = m_values.unpack(payload.at("values"));
    OperationLedger::start();
    py::object output;
    try {
        output = m_task.attr("call")(m_model, inputs);
    } catch (...) {
        OperationLedger::stop();
        throw;
    }
    const Json operations = operationsJson(OperationLedger::stop());
    return {{"values", m_values.packOutput(output, nullptr)}, {"operations", operations}};
}

Json ReferenceRole::randomiseWeights(const Json &payload)
{
    const py::module_ weights = py::module_::import("dice_worker.weights");
    return {{"changed", toJson(weights.attr("randomiseWeights")(m_model, toPython(payload.at("seed"))))}};
}

Json ReferenceRole::audit(const Json &payload)
{
    const py::module_ audit = py::module_::import("dice_worker.audit");
    return {{"observations",
             toJson(audit.attr("audit")(m_module, "Model", toPython(payload.at("seed")),
                                        payload.at("seconds").get<double>()))}};
}

} // namespace dice::worker
