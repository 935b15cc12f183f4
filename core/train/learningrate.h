// The learning rate of a step: linear warm-up, constant, linear decay to zero. Knows no optimizer.
#pragma once

#include "core/data/trainconfig.h"

#include <cstdint>

namespace dice::train {

// Share of the budget that is used up, from 0 to 1: the further of positions and seconds.
double budgetShare(const TrainConfig &config, std::int64_t positions, double elapsedSeconds);

// `step` is 1-based; `share` as budgetShare gives it.
double learningRateAt(const TrainConfig &config, std::int64_t step, double share);

} // namespace dice::train
