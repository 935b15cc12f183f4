// The worker's loop: hello, then one answer a request, until the judge closes the pipe.
#pragma once

#include "app/worker/framechannel.h"
#include "app/worker/interpreter.h"

#include <string>

namespace dice::worker {

struct WorkerOptions
{
    std::string role;
    InterpreterPaths interpreter; // not used by "build"
};

// The exit status; a judge that is gone ends the process at once.
int serve(const WorkerOptions &options, FrameChannel &channel);

} // namespace dice::worker
