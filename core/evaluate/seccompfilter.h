// The system-call filter of a box, as a BPF program in bytes. Must not know processes or roles' protocols.
#pragma once

#include "core/base/result.h"

#include <string>

namespace dice::evaluate {

enum class ProcessRule {
    MayStartProcesses, // compilers do
    MayNot, // fork and non-local sockets raise SIGSYS, whose handler in the worker counts and refuses them
};

// Unsupported when the kernel or the library has no seccomp.
Result<std::string> compileSeccompFilter(ProcessRule rule);

} // namespace dice::evaluate
