// All of the kernel language, for sources that the rewriter has been through.
#pragma once

#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice/cmath.h"

#include "dice/kernelwords.h"
#include "dice/vectortypes.h"
#include "dice/launch.h"
#include "dice/synchronise.h"
#include "dice/atomics.h"
#include "dice/mathfunctions.h"
#include "dice/cudaruntime.h"
#include "dice/attach.h"

namespace dice {

inline long long ticks()
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (long long)(uint64_t(high) << 32 | low);
}

} // namespace dice

static inline long long clock64() { return dice::ticks(); }
#define clock() ((long)dice::ticks())
static inline void __trap() { dice_api->fault(dice_thread, "trap", "the kernel called __trap", nullptr, 0); }

// assert in device code ends the launch, not the process; on the host it throws like a failed check.
#include <assert.h>
#ifndef NDEBUG
#undef assert
#define assert(condition)                                                                                             \
    ((condition) ? (void)0 : dice_api->fault(dice_thread, "assert", "assertion failed: " #condition, __FILE__, __LINE__))
#endif
