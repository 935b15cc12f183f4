// Between Python objects, LibTorch's values and the values that cross into an artefact.
#pragma once

#include "core/build/include/dice/hostapi.h"

#include <string>

struct _object; // PyObject

namespace dice::worker {

// Owned by whoever holds it: lists, text and tensor references go with it.
void freeDiceValue(DiceValue &value);

// type: of DiceFunction::argumentTypes ("tensor", "int", "float?", "int[]"). The rules are pybind11's: no float where
// an int is asked for, None only for "?". False: another overload may fit; a Python error is never left behind.
bool fromPython(_object *object, const std::string &type, DiceValue &value);

// A new reference, or null with a Python error.
_object *toPython(const DiceValue &value);

} // namespace dice::worker
