// Barriers, shuffles and votes. Each may switch to another thread of the block.
#pragma once

#include "dice/launch.h"

#include <string.h>

#define __syncthreads() ((void)dice_api->barrier(dice_thread, DICE_BARRIER, 0))
static inline int __syncthreads_count(int value) { return dice_api->barrier(dice_thread, DICE_BARRIER_COUNT, value); }
static inline int __syncthreads_and(int value) { return dice_api->barrier(dice_thread, DICE_BARRIER_AND, value); }
static inline int __syncthreads_or(int value) { return dice_api->barrier(dice_thread, DICE_BARRIER_OR, value); }

// One block runs on one processor thread, and other blocks only meet through atomics.
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_block() { __asm__ volatile("" ::: "memory"); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __nanosleep(unsigned) { dice_api->yield(dice_thread); }

namespace dice {

inline unsigned lane() { return dice_thread->thread & 31u; }

template <class T>
inline uint64_t toBits(const T &value)
{
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T>
inline T fromBits(uint64_t bits)
{
    T value;
    memcpy(static_cast<void *>(&value), &bits, sizeof(T));
    return value;
}

// A source lane outside the segment, or one that does not take part, gives the caller's own value.
template <class T>
inline T shuffleFrom(unsigned mask, T value, int source, bool isInside)
{
    uint32_t present = 0;
    const uint64_t *values = dice_api->exchange(dice_thread, mask, toBits(value), &present);
    return isInside && (present >> (source & 31) & 1u) ? fromBits<T>(values[source & 31]) : value;
}

} // namespace dice

template <class T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    const int first = dice::lane() & ~(width - 1);
    return dice::shuffleFrom(mask, value, first + (source & (width - 1)), true);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    const int own = dice::lane(), first = own & ~(width - 1), source = own - int(delta);
    return dice::shuffleFrom(mask, value, source, source >= first);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    const int own = dice::lane(), first = own & ~(width - 1), source = own + int(delta);
    return dice::shuffleFrom(mask, value, source, source < first + width);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32)
{
    const int own = dice::lane(), first = own & ~(width - 1), source = own ^ laneMask;
    return dice::shuffleFrom(mask, value, source, source < first + width);
}

static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    uint32_t present;
    dice_api->exchange(dice_thread, mask, 0, &present);
}
static inline unsigned __activemask() { return dice_api->activeMask(dice_thread); }
static inline unsigned __ballot_sync(unsigned mask, int predicate)
{
    uint32_t present = 0;
    const uint64_t *values = dice_api->exchange(dice_thread, mask, predicate != 0, &present);
    unsigned result = 0;
    for (int i = 0; i < 32; ++i)
        if ((present & mask) >> i & 1u && values[i])
            result |= 1u << i;
    return result;
}
static inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
static inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

template <class T>
inline unsigned __match_any_sync(unsigned mask, T value)
{
    uint32_t present = 0;
    const uint64_t own = dice::toBits(value);
    const uint64_t *values = dice_api->exchange(dice_thread, mask, own, &present);
    unsigned result = 0;
    for (int i = 0; i < 32; ++i)
        if ((present & mask) >> i & 1u && values[i] == own)
            result |= 1u << i;
    return result;
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int *isSame)
{
    uint32_t present = 0;
    const uint64_t own = dice::toBits(value);
    const uint64_t *values = dice_api->exchange(dice_thread, mask, own, &present);
    *isSame = 1;
    for (int i = 0; i < 32; ++i)
        if ((present & mask) >> i & 1u && values[i] != own)
            *isSame = 0;
    return *isSame ? mask : 0;
}

namespace dice {

template <class T, class Combine>
inline T reduceWarp(unsigned mask, T value, Combine combine)
{
    uint32_t present = 0;
    const uint64_t *values = dice_api->exchange(dice_thread, mask, toBits(value), &present);
    bool isFirst = true;
    T result = value;
    for (int i = 0; i < 32; ++i) {
        if (!((present & mask) >> i & 1u))
            continue;
        const T other = fromBits<T>(values[i]);
        result = isFirst ? other : combine(result, other);
        isFirst = false;
    }
    return result;
}

} // namespace dice

template <class T>
inline T __reduce_add_sync(unsigned mask, T value)
{
    return dice::reduceWarp(mask, value, [](T a, T b) { return a + b; });
}
template <class T>
inline T __reduce_max_sync(unsigned mask, T value)
{
    return dice::reduceWarp(mask, value, [](T a, T b) { return a < b ? b : a; });
}
template <class T>
inline T __reduce_min_sync(unsigned mask, T value)
{
    return dice::reduceWarp(mask, value, [](T a, T b) { return b < a ? b : a; });
}
static inline unsigned __reduce_and_sync(unsigned mask, unsigned value)
{
    return dice::reduceWarp(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
static inline unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    return dice::reduceWarp(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
static inline unsigned __reduce_xor_sync(unsigned mask, unsigned value)
{
    return dice::reduceWarp(mask, value, [](unsigned a, unsigned b) { return a ^ b; });
}
