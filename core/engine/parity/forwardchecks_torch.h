// Whole forwards of a model against stored logits, inner activations and rotary tables.
#pragma once

#include "core/engine/modelloader_torch.h"
#include "core/engine/parity/recorder.h"
#include "core/engine/parity/storedfiles.h"

namespace dice::engine::parity {

// p{i}.b{B}.logits, p{i}.b{B}.padded.logits, long.b{B}.logits, debug.*
void checkForwards(LoadedModel &loaded, const StoredTensors &stored, Recorder &recorder);

// cache.<run>.call{j}.logits: the forwards of the runs that generations.json lists with `cache_calls`.
void checkCacheCalls(LoadedModel &loaded, const StoredTensors &stored, const Json &generations, Recorder &recorder);

} // namespace dice::engine::parity
