// The kernel in a model's answer: chat models wrap it in a fence and talk around it, others write the file alone.
#pragma once

#include <string>
#include <string_view>

namespace dice::services {

// The longest fenced block when there is one (a fence that is still open ends at the end), else the whole answer.
std::string kernelOf(std::string_view answer);

} // namespace dice::services
