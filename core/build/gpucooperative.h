// Cooperative groups for NVRTC: CUDA's own header needs a library (CCCL) that the torch wheel does not bring. Only the
// proof that a kernel builds uses this; nothing that runs.
#pragma once

namespace dice::build {

inline constexpr const char *gpuCooperativeGroups = R"(namespace cooperative_groups {
struct thread_block {
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    __device__ static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ static unsigned num_threads() { return size(); }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static dim3 dim_threads() { return group_dim(); }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }
template <class Group> __device__ void sync(const Group &group) { group.sync(); }
struct coalesced_group {
    unsigned mask;
    __device__ unsigned lane() const { return thread_block::thread_rank() & 31u; }
    __device__ void sync() const { __syncwarp(mask); }
    __device__ unsigned size() const { return __popc(mask); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const { return __popc(mask & ((1u << lane()) - 1)); }
    template <class T> __device__ T shfl(T v, int rank) const { return __shfl_sync(mask, v, rank); }
    template <class T> __device__ T shfl_down(T v, unsigned d) const { return __shfl_down_sync(mask, v, d); }
    template <class T> __device__ T shfl_up(T v, unsigned d) const { return __shfl_up_sync(mask, v, d); }
    template <class T> __device__ T shfl_xor(T v, unsigned m) const { return __shfl_xor_sync(mask, v, m); }
    __device__ int any(int p) const { return __any_sync(mask, p); }
    __device__ int all(int p) const { return __all_sync(mask, p); }
    __device__ unsigned ballot(int p) const { return __ballot_sync(mask, p); }
    template <class T> __device__ unsigned match_any(T v) const { return __match_any_sync(mask, v); }
};
__device__ inline coalesced_group coalesced_threads() { return coalesced_group{__activemask()}; }
template <unsigned Size, class Parent = void> struct thread_block_tile : coalesced_group {
    __device__ thread_block_tile() : coalesced_group{0xffffffffu} {}
    template <class Other> __device__ thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile() {}
    __device__ static constexpr unsigned size() { return Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ unsigned thread_rank() const { return thread_block::thread_rank() % Size; }
    __device__ unsigned meta_group_rank() const { return thread_block::thread_rank() / Size; }
    __device__ unsigned meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
};
template <unsigned Size, class Group> __device__ thread_block_tile<Size, Group> tiled_partition(const Group &) { return {}; }
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class Group, class T, class Combine> __device__ T reduce(const Group &g, T v, Combine c) {
    for (unsigned step = g.size() / 2; step > 0; step /= 2) v = c(v, g.shfl_xor(v, step));
    return v;
}
template <class Group, class T, class Combine> __device__ T inclusive_scan(const Group &g, T v, Combine c) {
    for (unsigned step = 1; step < g.size(); step *= 2) {
        T other = g.shfl_up(v, step);
        if (g.thread_rank() >= step) v = c(other, v);
    }
    return v;
}
template <class Group, class T> __device__ T inclusive_scan(const Group &g, T v) { return inclusive_scan(g, v, plus<T>()); }
}
)";

} // namespace dice::build
