// The kernels under test. Lines of faults are marked by comments that the tests look up.
#pragma once

#include <string>
#include <vector>

namespace kernelsources {

inline const std::string declarations(const std::vector<std::string> &functions)
{
    std::string text;
    for (const std::string &function : functions)
        text += "void " + function + "(int64_t a, int64_t n);\n";
    return text;
}

inline const std::vector<std::string> rightFunctions
    = {"reduce", "shuffles", "votes", "atomics", "dynamic", "symbols", "templates", "macros", "shape", "groups",
       "halves", "counts", "pointers", "twodim", "scopes"};

inline const std::string right = R"cuda(
#include <torch/extension.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
static float *floats(int64_t a) { return reinterpret_cast<float *>(a); }

__global__ void reduceKernel(float *x, int n) {
    __shared__ float part[64], spare;
    part[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0.0f;
    __syncthreads();
    for (int s = 32; s > 0; s >>= 1) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) { spare = part[0]; x[0] = spare; }
}
void reduce(int64_t a, int64_t n) { reduceKernel<<<1, 64>>>(floats(a), (int)n); }

__global__ void shuffleKernel(float *x) {
    float v = x[threadIdx.x];
    double d = __shfl_xor_sync(0xffffffffu, (double)v, 1);
    float up = __shfl_up_sync(0xffffffffu, v, 1, 8);
    float down = __shfl_down_sync(0xffffffffu, v, 1, 8);
    float first = __shfl_sync(0xffffffffu, v, 0, 16);
    x[threadIdx.x] = (float)d + 100.0f * up + 10000.0f * down + 1000000.0f * first;
}
void shuffles(int64_t a, int64_t) { shuffleKernel<<<1, 32>>>(floats(a)); }

__global__ void voteKernel(float *x, int n) {
    int lane = threadIdx.x;
    unsigned odd = __ballot_sync(0xffffffffu, lane & 1);
    int any = __any_sync(0xffffffffu, lane == 7), all = __all_sync(0xffffffffu, lane < 31);
    unsigned same = __match_any_sync(0xffffffffu, lane / 8);
    unsigned mask = 0;
    if (lane < n) { mask = __activemask(); float v = __shfl_sync(mask, x[lane], 0); x[lane] = v; }
    x[32 + lane] = (odd == 0xaaaaaaaau) + 2 * any + 4 * all + 8 * (__popc(same) == 8);
}
void votes(int64_t a, int64_t n) { voteKernel<<<1, 32>>>(floats(a), (int)n); }

__global__ void atomicKernel(float *x, int *counts, double *sum, unsigned long long *big) {
    atomicAdd(x, 1.0f);
    atomicMax(counts, (int)(blockIdx.x * blockDim.x + threadIdx.x));
    atomicAdd(sum, 0.5);
    atomicAdd(big, 3ull);
    atomicCAS(counts + 1, 0, 5);
    atomicOr(counts + 2, 1 << (threadIdx.x % 8));
}
void atomics(int64_t a, int64_t n) {
    int *counts; double *sum; unsigned long long *big;
    cudaMalloc(&counts, 12); cudaMemset(counts, 0, 12);
    cudaMalloc((void **)&sum, 8); cudaMemset(sum, 0, 8);
    cudaMalloc(&big, 8); cudaMemset(big, 0, 8);
    atomicKernel<<<n, 100>>>(floats(a), counts, sum, big);
    floats(a)[1] = counts[0]; floats(a)[2] = (float)*sum; floats(a)[3] = (float)*big; floats(a)[4] = counts[1]; floats(a)[5] = counts[2];
    cudaFree(counts); cudaFree(sum); cudaFree(big);
}

extern __shared__ float everywhere[];
__device__ void spread(float v) { everywhere[threadIdx.x] = v; }
__global__ void dynamicKernel(float *x) {
    extern __shared__ __align__(16) unsigned char raw[];
    float *mine = reinterpret_cast<float *>(raw);
    spread(x[threadIdx.x]);
    __syncthreads();
    x[threadIdx.x] = mine[blockDim.x - 1 - threadIdx.x];
}
void dynamic(int64_t a, int64_t n) { dynamicKernel<<<1, n, n * sizeof(float)>>>(floats(a)); }

static __constant__ float factors[4];
namespace { __device__ int visits; }
__global__ void symbolKernel(float *x) { x[threadIdx.x] *= factors[threadIdx.x % 4]; atomicAdd(&visits, 1); }
void symbols(int64_t a, int64_t n) {
    float host[4] = {1, 2, 3, 4}; int zero = 0, seen = 0;
    cudaMemcpyToSymbol(factors, host, sizeof host);
    cudaMemcpyToSymbol(visits, &zero, sizeof zero);
    symbolKernel<<<1, n>>>(floats(a));
    cudaMemcpyFromSymbol(&seen, visits, sizeof seen);
    floats(a)[n] = seen;
}

template <typename T, int Step> __global__ void stepKernel(T *x, int n) { if (threadIdx.x < n) x[threadIdx.x] += Step; }
template <typename T> __global__ void deduced(T *x, T add) { x[threadIdx.x] += add; }
void templates(int64_t a, int64_t n) {
    stepKernel<float, (3 > 2) ? 4 : 5><<<dim3(1), dim3(32)>>>(floats(a), (int)n);
    deduced<<<1, n>>>(floats(a), 0.5f);
}

#define LAUNCH(kernel, count, ...) \
    kernel<<<(count + 31) / 32, \
             32>>>(__VA_ARGS__)
__global__ void doubled(float *x, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) x[i] *= 2; }
void macros(int64_t a, int64_t n) { LAUNCH(doubled, n, floats(a), (int)n); }

__global__ void shapeKernel(float *x) {
    int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    x[b * 24 + i] = 1.0f + b * 24 + i;
}
void shape(int64_t a, int64_t) { shapeKernel<<<dim3(2, 3, 2), dim3(2, 3, 4)>>>(floats(a)); }

__global__ void groupKernel(float *x) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    float sum = cg::reduce(tile, x[block.thread_rank()], cg::plus<float>());
    block.sync();
    x[threadIdx.x] = sum + 1000.0f * tile.meta_group_rank() + 100.0f * (tile.thread_rank() == 7);
}
void groups(int64_t a, int64_t) { groupKernel<<<1, 64>>>(floats(a)); }

__global__ void halfKernel(float *x) {
    half h = __float2half(x[threadIdx.x]);
    half2 p = __halves2half2(h, __float2half(2.0f));
    p = __hfma2(p, p, p);
    x[threadIdx.x] = __low2float(p) + __high2float(p);
}
void halves(int64_t a, int64_t n) { halfKernel<<<1, n>>>(floats(a)); }

__global__ void countKernel(float *x) {
    int c = __syncthreads_count(x[threadIdx.x] > 0), o = __syncthreads_or(threadIdx.x == 3), d = __syncthreads_and(1);
    x[threadIdx.x] = c + 100 * (o != 0) + 200 * (d != 0);
}
void counts(int64_t a, int64_t n) { countKernel<<<1, n>>>(floats(a)); }

typedef float (*Unary)(float);
__device__ float plusOne(float v) { return v + 1; }
__global__ void pointerKernel(float *x, int which) { Unary f = which ? plusOne : nullptr; x[threadIdx.x] = f(x[threadIdx.x]); }
void pointers(int64_t a, int64_t n) { auto k = pointerKernel; k<<<1, n>>>(floats(a), 1); }

struct Pair { float a; int b; };
template <int T> __global__ void twodimKernel(float *x) {
    __shared__ float tile[T][T + 1];
    __shared__ Pair pairs[T];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * T + threadIdx.x];
    if (threadIdx.y == 0) pairs[threadIdx.x] = Pair{1.0f, (int)threadIdx.x};
    __syncthreads();
    x[threadIdx.y * T + threadIdx.x] = tile[threadIdx.x][threadIdx.y] + pairs[threadIdx.x].a;
}
void twodim(int64_t a, int64_t) { twodimKernel<8><<<1, dim3(8, 8)>>>(floats(a)); }

namespace deep { namespace inner {
__global__ void scoped(float *x) { if (threadIdx.x >= 3) return; __syncthreads(); x[threadIdx.x] = 7; }
} }
void scopes(int64_t a, int64_t n) { ::deep::inner::scoped<<<1, n>>>(floats(a)); }
)cuda";

inline const std::vector<std::string> wrongFunctions
    = {"readsPast", "writesPast", "writesUnchecked", "unwritten", "race", "deadlock", "asserts", "traps", "tooLarge",
       "sharedPast", "hostPointer", "misaligned", "throws"};

inline const std::string wrong = R"cuda(
#include <torch/extension.h>
static float *floats(int64_t a) { return reinterpret_cast<float *>(a); }
__global__ void readKernel(float *x, int n) {
    float v = x[n]; // FAULT readsPast
    if (v != v) x[0] = v;
}
void readsPast(int64_t a, int64_t n) { readKernel<<<1, 1>>>(floats(a), (int)n); }
__global__ void writeKernel(float *x, int n) {
    x[n + threadIdx.x] = 1; // FAULT writesPast
}
void writesPast(int64_t a, int64_t n) { writeKernel<<<1, 4>>>(floats(a), (int)n); }
void writesUnchecked(int64_t a, int64_t n) { writeKernel<<<1, 4>>>(floats(a), (int)n); }
__global__ void unwrittenKernel(float *x) {
    __shared__ float box[32];
    if (threadIdx.x < 16) box[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = box[threadIdx.x]; // FAULT unwritten
}
void unwritten(int64_t a, int64_t) { unwrittenKernel<<<1, 32>>>(floats(a)); }
__global__ void raceKernel(float *x) {
    __shared__ float box[64];
    box[threadIdx.x] = 0;
    __syncthreads();
    box[threadIdx.x] = x[threadIdx.x]; // FAULT race
    x[threadIdx.x] = box[threadIdx.x ^ 32];
}
void race(int64_t a, int64_t) { raceKernel<<<1, 64>>>(floats(a)); }
__global__ void deadKernel(float *x) {
    if (threadIdx.x < 8) __shfl_sync(0xffffffffu, 1.0f, 0);
    else __syncthreads();
    x[threadIdx.x] = 0;
}
void deadlock(int64_t a, int64_t) { deadKernel<<<1, 32>>>(floats(a)); }
__global__ void assertKernel(float *x) {
    assert(x[threadIdx.x] < 2.0f); // FAULT asserts
}
void asserts(int64_t a, int64_t n) { assertKernel<<<1, n>>>(floats(a)); }
__global__ void trapKernel(float *x) { if (x[0] >= 0) __trap(); }
void traps(int64_t a, int64_t) { trapKernel<<<1, 1>>>(floats(a)); }
void tooLarge(int64_t a, int64_t) { trapKernel<<<1, 2048>>>(floats(a)); } // FAULT tooLarge
__global__ void sharedPastKernel(float *x) {
    __shared__ float small[8];
    small[threadIdx.x] = x[threadIdx.x]; // FAULT sharedPast
    __syncthreads();
    x[threadIdx.x] = small[threadIdx.x % 8];
}
void sharedPast(int64_t a, int64_t) { sharedPastKernel<<<1, 16>>>(floats(a)); }
__global__ void hostKernel(const float *x, float *y) {
    y[0] = x[0]; // FAULT hostPointer
}
void hostPointer(int64_t a, int64_t) { std::vector<float> host(4, 1.0f); hostKernel<<<1, 1>>>(host.data(), floats(a)); }
__global__ void misalignedKernel(float *x) {
    float4 v = *reinterpret_cast<float4 *>(x + 1 + 4 * threadIdx.x); // FAULT misaligned
    x[threadIdx.x] = v.x + v.w;
}
void misaligned(int64_t a, int64_t) { misalignedKernel<<<1, 4>>>(floats(a)); }
void throws(int64_t a, int64_t n) { TORCH_CHECK(n == 0, "n is ", n, ", not zero"); }
)cuda";

} // namespace kernelsources
