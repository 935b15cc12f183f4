// Processed probabilities of the four sampler variants against stored ones.
#pragma once

#include "core/data/json.h"
#include "core/engine/parity/recorder.h"
#include "core/engine/parity/storedfiles.h"

namespace dice::engine::parity {

// One check a case and variant: probabilities, and the number of tokens kept. Where equal probabilities meet the cut
// of top-p, which of them stays is not defined: sorted values are compared.
void checkLogitsProcessing(const StoredTensors &stored, const Json &document, Recorder &recorder);

} // namespace dice::engine::parity
