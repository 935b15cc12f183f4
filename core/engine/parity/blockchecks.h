// A model as the decoder uses it, block by block with its cache, against stored logits.
#pragma once

#include "core/engine/blockmodel.h"
#include "core/engine/parity/recorder.h"
#include "core/engine/parity/storedfiles.h"

namespace dice::engine::parity {

// The logits that whole forwards gave, computed block by block: "<name> by blocks".
void checkBlocks(BlockModel &model, const StoredTensors &stored, Recorder &recorder);

// cache.<run>.call{j}.logits: the forwards of the runs that generations.json lists with `cache_calls`.
void checkCacheCalls(BlockModel &model, const StoredTensors &stored, const Json &generations, Recorder &recorder);

} // namespace dice::engine::parity
