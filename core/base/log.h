// Set-up of spdlog, once a process. Logs go to stderr: stdout belongs to frames and JSON.
#pragma once

#include <spdlog/spdlog.h>

#include <string>

namespace dice {

// Level from DICE_LOG (trace, debug, info, warn, error, off); warn when unset.
void setUpLog(const std::string &processName);

} // namespace dice
