// Atomic operations. Real ones: the blocks of a launch run on several processor threads.
#pragma once

#include "dice/launch.h"

#include <string.h>

namespace dice {

// Reported as one access, and kept out of the compiler's own reports.
#if DICE_CHECKED
#define DICE_ATOMIC_FUNCTION __attribute__((no_sanitize("thread"), noinline))
#define DICE_TOUCH(address)                                                                                           \
    dice_api->access(dice_thread, address, sizeof(*(address)), DICE_ATOMIC, __builtin_return_address(0))
#else
#define DICE_ATOMIC_FUNCTION
#define DICE_TOUCH(address) (void)0
#endif

template <size_t Size> struct AtomicWord;
template <> struct AtomicWord<1> { using Type = uint8_t; };
template <> struct AtomicWord<2> { using Type = uint16_t; };
template <> struct AtomicWord<4> { using Type = uint32_t; };
template <> struct AtomicWord<8> { using Type = uint64_t; };

template <class T, class Change>
DICE_ATOMIC_FUNCTION inline T atomicChange(T *address, Change change)
{
    using Word = typename AtomicWord<sizeof(T)>::Type;
    DICE_TOUCH(address);
    Word *word = reinterpret_cast<Word *>(address);
    Word before = __atomic_load_n(word, __ATOMIC_RELAXED);
    for (;;) {
        T old;
        memcpy(static_cast<void *>(&old), &before, sizeof(T));
        const T changed = change(old);
        Word after;
        memcpy(&after, static_cast<const void *>(&changed), sizeof(T));
        if (__atomic_compare_exchange_n(word, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return old;
    }
}

} // namespace dice

#define DICE_ATOMIC_INTEGER(Type)                                                                                     \
    DICE_ATOMIC_FUNCTION inline Type atomicAdd(Type *a, Type v)                                                       \
    {                                                                                                                 \
        DICE_TOUCH(a);                                                                                                \
        return __atomic_fetch_add(a, v, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                 \
    DICE_ATOMIC_FUNCTION inline Type atomicSub(Type *a, Type v)                                                       \
    {                                                                                                                 \
        DICE_TOUCH(a);                                                                                                \
        return __atomic_fetch_sub(a, v, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                 \
    DICE_ATOMIC_FUNCTION inline Type atomicExch(Type *a, Type v)                                                      \
    {                                                                                                                 \
        DICE_TOUCH(a);                                                                                                \
        return __atomic_exchange_n(a, v, __ATOMIC_RELAXED);                                                           \
    }                                                                                                                 \
    DICE_ATOMIC_FUNCTION inline Type atomicAnd(Type *a, Type v)                                                       \
    {                                                                                                                 \
        DICE_TOUCH(a);                                                                                                \
        return __atomic_fetch_and(a, v, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                 \
    DICE_ATOMIC_FUNCTION inline Type atomicOr(Type *a, Type v)                                                        \
    {                                                                                                                 \
        DICE_TOUCH(a);                                                                                                \
        return __atomic_fetch_or(a, v, __ATOMIC_RELAXED);                                                             \
    }                                                                                                                 \
    DICE_ATOMIC_FUNCTION inline Type atomicXor(Type *a, Type v)                                                       \
    {                                                                                                                 \
        DICE_TOUCH(a);                                                                                                \
        return __atomic_fetch_xor(a, v, __ATOMIC_RELAXED);                                                            \
    }                                                                                                                 \
    DICE_ATOMIC_FUNCTION inline Type atomicCAS(Type *a, Type expected, Type v)                                        \
    {                                                                                                                 \
        DICE_TOUCH(a);                                                                                                \
        __atomic_compare_exchange_n(a, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
        return expected;                                                                                              \
    }                                                                                                                 \
    inline Type atomicMax(Type *a, Type v)                                                                            \
    {                                                                                                                 \
        return dice::atomicChange(a, [v](Type old) { return old < v ? v : old; });                                    \
    }                                                                                                                 \
    inline Type atomicMin(Type *a, Type v)                                                                            \
    {                                                                                                                 \
        return dice::atomicChange(a, [v](Type old) { return v < old ? v : old; });                                    \
    }
DICE_ATOMIC_INTEGER(int)
DICE_ATOMIC_INTEGER(unsigned int)
DICE_ATOMIC_INTEGER(unsigned long long)
DICE_ATOMIC_INTEGER(long long)
DICE_ATOMIC_INTEGER(unsigned long)
#undef DICE_ATOMIC_INTEGER

inline unsigned short atomicCAS(unsigned short *a, unsigned short expected, unsigned short v)
{
    return dice::atomicChange(a, [=](unsigned short old) { return old == expected ? v : old; });
}
inline float atomicAdd(float *a, float v)
{
    return dice::atomicChange(a, [v](float old) { return old + v; });
}
inline double atomicAdd(double *a, double v)
{
    return dice::atomicChange(a, [v](double old) { return old + v; });
}
inline float atomicExch(float *a, float v)
{
    return dice::atomicChange(a, [v](float) { return v; });
}
inline unsigned int atomicInc(unsigned int *a, unsigned int limit)
{
    return dice::atomicChange(a, [limit](unsigned int old) { return old >= limit ? 0u : old + 1; });
}
inline unsigned int atomicDec(unsigned int *a, unsigned int limit)
{
    return dice::atomicChange(a, [limit](unsigned int old) { return old == 0 || old > limit ? limit : old - 1; });
}

// The forms with a scope differ only in how far an order reaches.
template <class T, class V> inline auto atomicAdd_block(T *a, V v) { return atomicAdd(a, v); }
template <class T, class V> inline auto atomicAdd_system(T *a, V v) { return atomicAdd(a, v); }
template <class T, class V> inline auto atomicMax_block(T *a, V v) { return atomicMax(a, v); }
template <class T, class V> inline auto atomicMin_block(T *a, V v) { return atomicMin(a, v); }
