// LibTorch's side of the table that artefacts call: tensors, operations by name, guarded memory. Knows no Python.
#pragma once

#include "core/build/include/dice/hostapi.h"

namespace dice::worker {

void fillTensorApi(DiceHostApi &api);
// Makes every CPU tensor's memory come from the CPU device, so that it is guarded, poisoned when asked, and known.
void installGuardedAllocator();

} // namespace dice::worker
