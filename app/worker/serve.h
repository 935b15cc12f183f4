// The worker's life: the role that it was started for, until the judge closes the pipe.
#pragma once

#include "app/worker/framechannel.h"
#include "app/worker/workeroptions.h"

namespace dice::worker {

// The exit status; a judge that is gone ends the process at once.
int serve(const WorkerOptions &options, FrameChannel &channel);

} // namespace dice::worker
