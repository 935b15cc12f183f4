// A verdict as lines of text: the word, then its evidence.
#pragma once

#include "core/data/verdict.h"

#include <string>

namespace dice::cli {

std::string verdictText(const Verdict &verdict);

} // namespace dice::cli
