// Processor time of a process and of all that it started.
#pragma once

#include <sys/types.h>

namespace dice::evaluate {

// Seconds in user and kernel mode; processes that have ended count for the parent that waited for them.
double processorSecondsOf(pid_t process);

} // namespace dice::evaluate
