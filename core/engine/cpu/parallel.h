// Shares a loop out among the process's threads, when it is long enough to be worth it.
#pragma once

#include <functional>

namespace dice::engine::cpu {

// Calls `work(from, to)` for ranges that cover 0 .. count-1. `workOfItem` is its floating-point operations: short
// loops run on the calling thread, so that a small model leaves the other cores to the window.
void parallelFor(int count, double workOfItem, const std::function<void(int from, int to)> &work);

} // namespace dice::engine::cpu
