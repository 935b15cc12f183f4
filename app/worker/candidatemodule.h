// Loads an artefact (core/build's output) and gives it to Python as load_inline's return value.
// Runs in the candidate's worker only; knows neither evaluator nor frames. Needs the GIL.
#pragma once

#include "core/base/result.h"
#include "core/build/cpudevice/device.h"

#include <string>

struct _object; // PyObject

namespace dice::worker {

// Call once, before any tensor exists that a candidate may touch: puts the guarding allocator into LibTorch, so that
// memory of torch.empty is poisoned when asked, followed by guard bands, and known to the access checks.
void installTensorHost();

// A module object with the artefact's functions; a new reference. extensionName is load_inline's name=.
// A failure is the candidate's (it does not load): compile_error.
Result<_object *> loadCandidateModule(const std::string &artefactPath, const std::string &extensionName);

} // namespace dice::worker
