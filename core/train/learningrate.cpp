#include "learningrate.h"

#include <algorithm>

namespace dice::train {

double budgetShare(const TrainConfig &config, std::int64_t positions, double elapsedSeconds)
{
    const double byPositions = static_cast<double>(positions) / static_cast<double>(config.maxPositions);
    const double bySeconds = config.maxSeconds > 0 ? elapsedSeconds / config.maxSeconds : 0.0;
    return std::clamp(std::max(byPositions, bySeconds), 0.0, 1.0);
}

double learningRateAt(const TrainConfig &config, std::int64_t step, double share)
{
    double factor = 1.0;
    if (step < config.warmupSteps)
        factor = static_cast<double>(step) / config.warmupSteps;
    if (share > 1.0 - config.decayShare)
        factor = std::min(factor, (1.0 - share) / config.decayShare);
    return config.learningRate * factor;
}

} // namespace dice::train
