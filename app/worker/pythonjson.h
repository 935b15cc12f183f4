// Plain Python values (dict, list, str, numbers, None) as JSON and back.
#pragma once

#include "core/data/json.h"

#include <pybind11/pybind11.h>

namespace dice::worker {

Json toJson(pybind11::handle value); // other objects: their str()
pybind11::object toPython(const Json &json);

} // namespace dice::worker
