// Role "reference": the task itself. Makes inputs and expected outputs; never sees a candidate.
#pragma once

#include "app/worker/arenas.h"
#include "app/worker/pythonvalues.h"
#include "core/data/json.h"

namespace dice::worker {

class ReferenceRole
{
public:
    explicit ReferenceRole(Arenas &arenas);

    Result<Json> answer(const std::string &name, const Json &payload);

private:
    Json prepare(const Json &payload);
    Json load(const Json &payload);
    Json construct(const Json &payload);
    Json inputs(const Json &payload);
    Json nearDuplicate(const Json &payload);
    Json forward(const Json &payload);
    Json randomiseWeights(const Json &payload);
    Json audit(const Json &payload);

    Arenas &m_arenas;
    PythonValues m_values;
    pybind11::module_ m_task;
    pybind11::object m_module;
    pybind11::object m_model;
};

} // namespace dice::worker
