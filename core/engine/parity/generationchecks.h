// Decoding runs against the published ones: every step, token, step map and number of forwards.
#pragma once

#include "core/data/json.h"
#include "core/engine/blockmodel.h"
#include "core/engine/parity/recorder.h"

namespace dice::engine::parity {

// generations.json: each run with a forward of its own for storing, step by step, and once more with overlapped
// forwards, where the answer must be the same.
void checkGenerations(BlockModel &model, TokenId maskToken, const Json &document, Recorder &recorder);

// infilling.json
void checkInfilling(BlockModel &model, TokenId maskToken, const Json &document, Recorder &recorder);

} // namespace dice::engine::parity
