#include "parallel.h"

#include <torch/torch.h>

#include <algorithm>
#include <cstdint>

namespace dice::engine::cpu {

namespace {
// About 0.3 ms of one core: far above what waking a thread costs, even on a busy machine.
constexpr double minWorkOfThread = 3e7;
} // namespace

void parallelFor(int count, double workOfItem, const std::function<void(int from, int to)> &work)
{
    const auto grain = static_cast<std::int64_t>(std::max(1.0, minWorkOfThread / std::max(workOfItem, 1.0)));
    at::parallel_for(0, count, grain,
                     [&](std::int64_t from, std::int64_t to) { work(static_cast<int>(from), static_cast<int>(to)); });
}

} // namespace dice::engine::cpu
