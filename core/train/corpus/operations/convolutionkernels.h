// Direct convolutions: one thread an output value, sums in double. Kernel shapes and all settings are read at run
// time, so depthwise, pointwise, grouped and dilated layers share one kernel a rank. Must not know tasks' layout.
#pragma once

#include "core/train/corpus/task.h"

namespace dice::corpus {

// numDims: 1 to 3 spatial axes.
Kernel convolutionKernel(int numDims, bool isTransposed);

} // namespace dice::corpus
