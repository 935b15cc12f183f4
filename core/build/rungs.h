// The two ways to compile a candidate for the CPU device: against our own headers, and against Torch's real ones.
#pragma once

#include "core/build/buildplan.h"

namespace dice::build {

Rung planShimRung(const BuildRequest &request, const Toolchain &toolchain);
Rung planRealHeadersRung(const BuildRequest &request, const Toolchain &toolchain);

} // namespace dice::build
