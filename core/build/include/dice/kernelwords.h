// CUDA's words for functions and variables. __shared__, extern __shared__ and <<<...>>> never reach the compiler:
// they are rewritten before (core/build/devicerewriter.h).
#pragma once

#define __CUDACC__ 1
#define __NVCC__ 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
// Empty, not an attribute: libstdc++ writes __attribute__((__noinline__)).
#define __noinline__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __maxnreg__(count)
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0

static constexpr int warpSize = 32;
