// Kernels that several operations use. Must not know the module side.
#pragma once

#include "core/train/corpus/task.h"

namespace dice::corpus {

extern const Kernel bmmKernel; // (..., M, K) x (..., K, N)
extern const Kernel copyKernel; // a view of up to six axes, made contiguous

Kernel triangleKernel(bool isUpper);
// Softmax along an axis given as the second argument.
Kernel softmaxKernel();
// x, weight, optional bias.
Kernel linearKernel();
// Reductions by name ("logsumexp_dim"; "mean_squares_all"); the name must exist.
Kernel axisReductionKernel(std::string_view name);
Kernel wholeReductionKernel(std::string_view name);

} // namespace dice::corpus
