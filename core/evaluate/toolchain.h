// The compiler and the headers of this machine, as core/build wants to know them.
#pragma once

#include "core/build/buildplan.h"
#include "core/evaluate/installation.h"

namespace dice::evaluate {

build::Toolchain toolchainOf(const Installation &installation);

// Compiles the shim's headers in advance into `folder`, which appears whole or not at all. Run once, after a build.
Status precompileHeaders(const Installation &installation, const std::string &folder);

} // namespace dice::evaluate
