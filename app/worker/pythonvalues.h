// Call values between Python and the arenas, through dice_worker.values.
#pragma once

#include "app/worker/arenas.h"
#include "core/data/json.h"

#include <pybind11/pybind11.h>

namespace dice::worker {

class PythonValues
{
public:
    explicit PythonValues(Arenas &arenas);

    Json pack(pybind11::handle value); // inputs, init arguments: strides kept
    Json packOutput(pybind11::handle value, Json *observations); // outputs: contiguous, never raises
    pybind11::object unpack(const Json &tree);
    // New content into the tensors of `value`; false when the layouts differ.
    bool refill(pybind11::handle value, const Json &tree);

private:
    pybind11::module_ m_values;
    pybind11::object m_write;
    pybind11::object m_read;
};

// The failure of a text as {"code", "message", "detail", "line"}: a TaskError as it describes itself, anything else
// as code "other".
Json describeError(const pybind11::error_already_set &error);

} // namespace dice::worker
