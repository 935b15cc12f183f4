// What decoding gives: every denoising step as it happens, and the answer with its step map. Token ids only; texts
// belong to the engine, which has the tokenizer.
#pragma once

#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/engine/tokenchoice.h"

#include <functional>
#include <string>
#include <vector>

namespace dice::engine {

struct BlockCell
{
    CellState state = CellState::Masked; // after the step
    bool wasMasked = false; // before it: `choice` is of this step
    TokenChoice choice; // of the latest step that looked at it; a given token has confidence 1 and no alternatives
};

struct BlockStep
{
    BlockIndex block; // counted from the first block that is denoised
    int step = 0; // inside the block, 0-based
    int blockStart = 0; // position of the block in the whole sequence
    std::vector<TokenId> input; // the block as the model saw it
    std::vector<BlockCell> cells; // every position of the block
};

enum class StepAction { Continue, Stop };
using BlockStepCallback = std::function<StepAction(const BlockStep &)>;

struct Generation
{
    std::vector<TokenId> tokens; // the answer, stop token included; infilling: the whole text
    std::vector<int> stepMap; // 1-based denoising step, over all blocks, of each token; 0 = given
    int numForwards = 0; // prefill, denoising and storing passes
    int numSteps = 0; // denoising passes
    int numMasksLeft = 0; // positions of `tokens` (or of the stopped block) that no step unmasked
    StopReason stopReason = StopReason::LengthLimit;
    std::vector<std::string> warnings;
};

} // namespace dice::engine
