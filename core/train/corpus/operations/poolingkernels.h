// Pooling kernels: one thread an output value. Must not know tasks' layout.
#pragma once

#include "core/train/corpus/task.h"

namespace dice::corpus {

// numDims: 1 to 3 spatial axes. Padding counts as zeros in a mean, as PyTorch does by default.
Kernel poolingKernel(int numDims, bool isMax);
// Mean: 1 to 3 spatial axes; maximum: 1 or 2.
Kernel adaptivePoolingKernel(int numDims, bool isMax);

} // namespace dice::corpus
