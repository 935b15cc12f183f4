// The roles that need Python and LibTorch. They are a library of their own, loaded on demand: its dependencies take a
// third of a second to load, which a build box would wait for in vain.
#pragma once

#include "app/worker/arenas.h"
#include "app/worker/framechannel.h"
#include "app/worker/workeroptions.h"

namespace dice::worker {

inline constexpr const char *pythonRolesFile = "dice-worker-python.so"; // beside the program
inline constexpr const char *pythonRolesEntry = "diceServePythonRole";

// Serves "reference" or "candidate" until the judge closes the pipe; `end` says why earlier.
using ServePythonRole = void (*)(const WorkerOptions &options, Arenas &arenas, FrameChannel &channel, Status &end);

} // namespace dice::worker
