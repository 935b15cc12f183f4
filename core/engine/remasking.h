// Which masked positions of a block one denoising step unmasks: pure functions over confidences and entropies.
// Knows no model, tensor or token.
#pragma once

#include "core/data/decodingoptions.h"

#include <span>
#include <vector>

namespace dice::engine {

struct RemaskingRule
{
    Remasking strategy = Remasking::LowConfidenceDynamic;
    double threshold = 0.9; // probability, for LowConfidenceDynamic
    double entropyBound = 0.1; // nats, for EntropyBounded
};

struct MaskedPosition
{
    int position = 0; // inside the block
    float confidence = 0.0f; // probability of the token that would be set
    float entropy = 0.0f; // nats
};

// Tokens that step `step` of `numSteps` owes: blockLength div numSteps, one more in the first
// blockLength mod numSteps steps (SDAR generate.py).
int tokensOfStep(int blockLength, int numSteps, int step);

// Positions to unmask now, ascending. `masked` is ascending and not empty; at least one is chosen and never more
// than there are. Equal confidences or entropies go to the lowest position.
//   Sequential            the masked ones among the `count` positions from the first masked one on
//   LowConfidenceStatic   the `count` most confident
//   LowConfidenceDynamic  all above the threshold (strict); the `count` most confident when those are fewer
//   EntropyBounded        the lowest entropies whose running sum stays below the bound (strict)
std::vector<int> choosePositions(const RemaskingRule &rule, std::span<const MaskedPosition> masked, int count);

} // namespace dice::engine
