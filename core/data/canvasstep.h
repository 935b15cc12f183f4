// One denoising step of one block, as the canvas shows it and a trace file keeps it.
#pragma once

#include "core/base/ids.h"
#include "core/data/json.h"

#include <string>
#include <vector>

namespace dice {

struct TokenAlternative
{
    TokenId token;
    std::string text;         // its bytes, with what is no UTF-8 replaced by U+FFFD
    float probability = 0.0f; // after temperature 1 softmax

    bool operator==(const TokenAlternative &) const = default;
};

enum class CellState { Masked, Committed, Kept }; // Committed: unmasked in this step; Kept: given or unmasked before

struct CanvasCell
{
    int position = 0; // in the answer, 0-based; negative for prompt tokens that share the first block
    CellState state = CellState::Masked;
    TokenId token;    // the best token while masked, the chosen one after
    std::string text;
    float confidence = 0.0f; // probability of the token
    float entropy = 0.0f;    // nats
    std::vector<TokenAlternative> alternatives; // the best 5, most probable first

    bool operator==(const CanvasCell &) const = default;
};

struct CanvasStep
{
    BlockIndex block; // of the answer, 0-based
    int step = 0;     // inside the block, 0-based
    std::vector<CanvasCell> cells; // every position of the block

    bool operator==(const CanvasStep &) const = default;
};

Json toJson(const CanvasStep &step);
Result<CanvasStep> canvasStepFromJson(const Json &json);

} // namespace dice
