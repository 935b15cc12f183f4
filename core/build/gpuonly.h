// What the CPU device cannot run, found in the text: such a candidate is needs_gpu, never incorrect.
#pragma once

#include "core/build/buildrequest.h"

#include <string>

namespace dice::build {

// One sentence with the word and its line; empty when the CPU device can try.
std::string needsGpuReason(const BuildRequest &request);

} // namespace dice::build
