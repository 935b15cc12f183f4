// What ATen and c10 offer around the CUDA runtime: the current stream, guards, events, checked calls.
// Used with the shim and with Torch's real headers; so types of either are taken by templates.
#pragma once

#include "dice/cudaruntime.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace dice {

inline void checkCuda(cudaError_t error)
{
    if (error != cudaSuccess)
        throw std::runtime_error(std::string("CUDA error: ") + cudaGetErrorString(error));
}

} // namespace dice

namespace c10::cuda {

class CUDAStream
{
public:
    CUDAStream(cudaStream_t stream = nullptr)
        : m_stream(stream)
    {
    }
    operator cudaStream_t() const { return m_stream; }
    cudaStream_t stream() const { return m_stream; }
    void synchronize() const { dice::checkCuda(cudaStreamSynchronize(m_stream)); }
    int device_index() const { return 0; }
    bool query() const { return true; }

private:
    cudaStream_t m_stream;
};

inline CUDAStream getCurrentCUDAStream(int = -1) { return {}; }
inline CUDAStream getDefaultCUDAStream(int = -1) { return {}; }
inline CUDAStream getStreamFromPool(bool = false, int = -1) { return {}; }
inline void setCurrentCUDAStream(CUDAStream) {}
inline int current_device() { return 0; }
inline int device_count() { return 1; }
inline void set_device(int) {}
inline void device_synchronize() { dice::checkCuda(cudaDeviceSynchronize()); }

// Guards change nothing: there is one device and one order of work.
template <int>
struct NoGuard
{
    template <class... T> explicit NoGuard(const T &...) {}
    NoGuard(const NoGuard &) = delete;
    NoGuard &operator=(const NoGuard &) = delete;
    template <class... T> void set_index(const T &...) {}
    template <class... T> void reset_device(const T &...) {}
    template <class... T> void reset_stream(const T &...) {}
};
using CUDAGuard = NoGuard<0>;
using OptionalCUDAGuard = NoGuard<1>;
using CUDAStreamGuard = NoGuard<2>;
using OptionalCUDAStreamGuard = NoGuard<3>;

namespace CUDACachingAllocator {
template <class... T> inline void recordStream(const T &...) {}
inline void emptyCache() {}
inline void *raw_alloc(size_t bytes) { return dice_api->allocate(bytes); }
inline void raw_delete(void *address) { dice_api->release(address); }
} // namespace CUDACachingAllocator

} // namespace c10::cuda

namespace at::cuda {

using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStream;
using c10::cuda::CUDAStreamGuard;
using c10::cuda::OptionalCUDAGuard;
using c10::cuda::current_device;
using c10::cuda::device_count;
using c10::cuda::device_synchronize;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;
using c10::cuda::set_device;

inline cudaDeviceProp *getCurrentDeviceProperties()
{
    static cudaDeviceProp properties = dice::deviceProperties();
    return &properties;
}
inline cudaDeviceProp *getDeviceProperties(int) { return getCurrentDeviceProperties(); }
inline bool is_available() { return true; }
inline int warp_size() { return 32; }

class CUDAEvent
{
public:
    CUDAEvent(unsigned = 0) {}
    void record() {}
    void record(const CUDAStream &) {}
    void block(const CUDAStream &) {}
    void synchronize() {}
    bool query() const { return true; }
    float elapsed_time(const CUDAEvent &) const { return 0.0f; }
};

template <class T> inline T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }

} // namespace at::cuda

#define C10_CUDA_CHECK(call) ::dice::checkCuda(call)
#define C10_CUDA_CHECK_WARN(call) (void)(call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ::dice::checkCuda(cudaGetLastError())
#define AT_CUDA_CHECK(call) ::dice::checkCuda(call)
#define TORCH_CUDA_CHECK(call) ::dice::checkCuda(call)
#ifndef TORCH_CUDA_CPP_API
#define TORCH_CUDA_CPP_API
#endif
