// The other rung: the CPU device under Torch's own headers, for sources that the shim cannot compile.
// Tensors are LibTorch's CPU tensors here, so what asks whether they are on the GPU is told so by macros.
#pragma once

#include <torch/extension.h>

#include "dice/device.h"

#include "dice/atencuda.h"

#define is_cuda() is_cpu()
#define kCUDA kCPU
#define CUDA CPU
#undef CHECK_CUDA
