// The CUDA runtime's calls on the CPU device. Launches run at once and in order, so streams and events only have to
// exist, and every copy is a copy between addresses of one memory.
#pragma once

#include "dice/launch.h"

#include <stdio.h>
#include <string.h>

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault = 0, cudaMemAttachGlobal = 1 };

struct CUstream_st;
struct CUevent_st;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUstream_st *CUstream;
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

struct cudaDeviceProp
{
    char name[256];
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    size_t sharedMemPerBlockOptin;
    size_t sharedMemPerMultiprocessor;
    int regsPerBlock;
    int warpSize;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    int major;
    int minor;
    int multiProcessorCount;
    int maxThreadsPerMultiProcessor;
    int l2CacheSize;
};

namespace dice {

inline cudaDeviceProp deviceProperties()
{
    cudaDeviceProp p = {};
    snprintf(p.name, sizeof p.name, "CPU device of DICE Studio");
    p.totalGlobalMem = size_t(8) << 30;
    p.sharedMemPerBlock = 48 << 10;
    p.sharedMemPerBlockOptin = p.sharedMemPerMultiprocessor = 227 << 10;
    p.regsPerBlock = 65536;
    p.warpSize = 32;
    p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 2147483647;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.clockRate = 1000000;
    p.major = 9;
    p.multiProcessorCount = 4;
    p.maxThreadsPerMultiProcessor = 2048;
    p.l2CacheSize = 4 << 20;
    return p;
}

inline cudaError_t copyBytes(void *to, const void *from, size_t bytes)
{
    if (bytes != 0)
        memmove(to, from, bytes);
    return cudaSuccess;
}

template <class T>
inline cudaError_t allocateTo(T **address, size_t bytes)
{
    *address = static_cast<T *>(dice_api->allocate(bytes));
    return *address != nullptr || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}

inline cudaError_t releaseFrom(void *address)
{
    return address == nullptr || dice_api->release(address) == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace dice

static inline cudaError_t cudaGetLastError() { return cudaError_t(dice_api->lastError(1)); }
static inline cudaError_t cudaPeekAtLastError() { return cudaError_t(dice_api->lastError(0)); }
static inline cudaError_t cudaDeviceSynchronize() { return cudaPeekAtLastError(); }
static inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
static inline cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
static inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    *properties = dice::deviceProperties();
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    const cudaDeviceProp p = dice::deviceProperties();
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

template <class T> inline cudaError_t cudaMalloc(T **address, size_t bytes) { return dice::allocateTo(address, bytes); }
template <class T>
inline cudaError_t cudaMallocAsync(T **address, size_t bytes, cudaStream_t)
{
    return dice::allocateTo(address, bytes);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **address, size_t bytes, unsigned = 1)
{
    return dice::allocateTo(address, bytes);
}
template <class T> inline cudaError_t cudaMallocHost(T **address, size_t bytes) { return dice::allocateTo(address, bytes); }
template <class T>
inline cudaError_t cudaHostAlloc(T **address, size_t bytes, unsigned)
{
    return dice::allocateTo(address, bytes);
}
static inline cudaError_t cudaFree(void *address) { return dice::releaseFrom(address); }
static inline cudaError_t cudaFreeAsync(void *address, cudaStream_t) { return dice::releaseFrom(address); }
static inline cudaError_t cudaFreeHost(void *address) { return dice::releaseFrom(address); }
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    return dice::copyBytes(to, from, bytes);
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t = nullptr)
{
    return dice::copyBytes(to, from, bytes);
}
static inline cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                       size_t height, cudaMemcpyKind)
{
    for (size_t row = 0; row < height; ++row)
        memmove(static_cast<char *>(to) + row * toPitch, static_cast<const char *>(from) + row * fromPitch, width);
    return cudaSuccess;
}
static inline cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    if (bytes != 0)
        memset(to, value, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t = nullptr)
{
    return cudaMemset(to, value, bytes);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    if (offset + bytes > sizeof(T))
        return cudaErrorInvalidValue;
    return dice::copyBytes(const_cast<char *>(reinterpret_cast<const char *>(&symbol)) + offset, from, bytes);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = nullptr)
{
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    if (offset + bytes > sizeof(T))
        return cudaErrorInvalidValue;
    return dice::copyBytes(to, reinterpret_cast<const char *>(&symbol) + offset, bytes);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    *address = const_cast<void *>(static_cast<const void *>(&symbol));
    return cudaSuccess;
}

template <class Kernel> inline cudaError_t cudaFuncSetAttribute(Kernel, cudaFuncAttribute, int) { return cudaSuccess; }
template <class Kernel> inline cudaError_t cudaFuncSetCacheConfig(Kernel, cudaFuncCache) { return cudaSuccess; }
static inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
static inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel, int blockSize, size_t)
{
    *blocks = blockSize > 0 ? 2048 / blockSize : 0;
    return cudaSuccess;
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGrid, int *blockSize, Kernel, size_t = 0, int = 0)
{
    *minGrid = 8;
    *blockSize = 256;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = nullptr;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) { return cudaStreamCreate(stream); }
static inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int)
{
    return cudaStreamCreate(stream);
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaPeekAtLastError(); }
static inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaPeekAtLastError(); }
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
static inline cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = nullptr;
    return cudaSuccess;
}
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return cudaEventCreate(event); }
static inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) { return cudaSuccess; }
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaPeekAtLastError(); }
static inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaPeekAtLastError(); }
static inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t)
{
    *milliseconds = 0.0f;
    return cudaSuccess;
}
