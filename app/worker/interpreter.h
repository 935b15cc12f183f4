// The embedded Python of the environment that has torch. One per process; started before the judge's first request.
#pragma once

#include "app/worker/workeroptions.h"
#include "core/base/result.h"

namespace dice::worker {

// Starts Python with the audit hook in place and imports torch. The interpreter is never finalised: the process ends
// with _exit, so that nothing a candidate registered runs after its verdict.
Status startInterpreter(const InterpreterPaths &paths);

} // namespace dice::worker
