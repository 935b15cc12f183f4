#include "remasking.h"

#include <algorithm>
#include <cassert>

namespace dice::engine {

namespace {

std::vector<int> firstPositions(std::vector<MaskedPosition> ordered, std::size_t count)
{
    ordered.resize(std::min(count, ordered.size()));
    std::vector<int> positions;
    for (const MaskedPosition &masked : ordered)
        positions.push_back(masked.position);
    std::sort(positions.begin(), positions.end());
    return positions;
}

std::vector<int> window(std::span<const MaskedPosition> masked, int count)
{
    const int end = masked.front().position + count;
    std::vector<int> positions;
    for (const MaskedPosition &candidate : masked) {
        if (candidate.position < end)
            positions.push_back(candidate.position);
    }
    return positions;
}

std::vector<int> mostConfident(std::span<const MaskedPosition> masked, std::size_t count)
{
    std::vector<MaskedPosition> ordered(masked.begin(), masked.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const MaskedPosition &left, const MaskedPosition &right) {
        return left.confidence > right.confidence;
    });
    return firstPositions(std::move(ordered), count);
}

std::vector<int> belowEntropyBound(std::span<const MaskedPosition> masked, double bound)
{
    std::vector<MaskedPosition> ordered(masked.begin(), masked.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const MaskedPosition &left, const MaskedPosition &right) {
        return left.entropy < right.entropy;
    });
    std::size_t count = 0;
    double sum = 0.0;
    for (const MaskedPosition &candidate : ordered) {
        sum += candidate.entropy;
        count += sum < bound ? 1 : 0;
    }
    return firstPositions(std::move(ordered), std::max<std::size_t>(count, 1));
}

} // namespace

int tokensOfStep(int blockLength, int numSteps, int step)
{
    assert(numSteps > 0 && step >= 0 && step < numSteps);
    return blockLength / numSteps + (step < blockLength % numSteps ? 1 : 0);
}

std::vector<int> choosePositions(const RemaskingRule &rule, std::span<const MaskedPosition> masked, int count)
{
    assert(!masked.empty());
    const int atLeast = std::max(count, 1);
    switch (rule.strategy) {
    case Remasking::Sequential:
        return window(masked, atLeast);
    case Remasking::LowConfidenceStatic:
        return mostConfident(masked, static_cast<std::size_t>(atLeast));
    case Remasking::LowConfidenceDynamic: {
        const auto numAbove = std::count_if(masked.begin(), masked.end(), [&](const MaskedPosition &candidate) {
            return candidate.confidence > rule.threshold;
        });
        // Those above the threshold are exactly the most confident ones.
        return mostConfident(masked, static_cast<std::size_t>(std::max<std::ptrdiff_t>(numAbove, atLeast)));
    }
    case Remasking::EntropyBounded:
        return belowEntropyBound(masked, rule.entropyBound);
    }
    return {masked.front().position};
}

} // namespace dice::engine
