// Role "candidate": runs ModelNew and reports what it saw. Nothing here is believed on its word alone: outputs are
// compared by the judge, the rest is evidence.
#pragma once

#include "app/worker/arenas.h"
#include "app/worker/framechannel.h"
#include "app/worker/pythonvalues.h"
#include "core/build/cpudevice/device.h"
#include "core/data/json.h"

namespace dice::worker {

class CandidateRole
{
public:
    CandidateRole(Arenas &arenas, FrameChannel &channel);

    Result<Json> answer(const ipc::Envelope &request);

private:
    Json load(const Json &payload);
    Json construct(const Json &payload);
    Json forward(const Json &payload);
    Json randomiseWeights(const Json &payload);
    Json evidence(const Json &payload);

    pybind11::object build(const pybind11::object &request);
    pybind11::object takeInputs(const Json &payload);
    void lookAgain(Json &reply, const pybind11::object &output);

    Arenas &m_arenas;
    FrameChannel &m_channel;
    PythonValues m_values;
    pybind11::module_ m_task;
    pybind11::module_ m_observe;
    pybind11::object m_record;
    pybind11::object m_baseline;
    pybind11::object m_module;
    pybind11::object m_model;
    pybind11::object m_observer;
    pybind11::object m_inputs;
    RequestId m_request; // being answered
};

} // namespace dice::worker
