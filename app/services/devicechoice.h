// Which device "auto" means for the judge on this machine. It asks the system, not the driver.
#pragma once

#include <string>

namespace dice::services {

bool hasNvidiaGpu();

// "auto" becomes "cuda:0" where there is an NVIDIA GPU, else "cpu"; other names stay.
std::string judgeDevice(const std::string &device);

} // namespace dice::services
