// What can be found out about this machine without starting a process: GPU, driver, compilers, LibTorch, CUPTI.
#pragma once

#include "app/cli/doctorcommand.h"

namespace dice::cli {

std::vector<Finding> findMachine();

} // namespace dice::cli
