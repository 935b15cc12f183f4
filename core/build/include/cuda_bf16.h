// bfloat16 and its pair.
#pragma once

#include "dice/smallfloats.h"

DICE_SMALL_FLOAT_TYPE(__nv_bfloat16, __nv_bfloat162, bfloatToFloat, floatToBfloat, doubleToBfloat)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

static inline __nv_bfloat16 __float2bfloat16(float v) { return v; }
static inline __nv_bfloat16 __float2bfloat16_rn(float v) { return v; }
static inline __nv_bfloat16 __double2bfloat16(double v) { return v; }
static inline float __bfloat162float(__nv_bfloat16 v) { return v; }
static inline __nv_bfloat16 __int2bfloat16_rn(int v) { return v; }
static inline int __bfloat162int_rn(__nv_bfloat16 v) { return int(rintf(v)); }
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.bits; }
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short v)
{
    return dice::from(v, static_cast<__nv_bfloat16 *>(nullptr));
}
static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
static inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
static inline __nv_bfloat162 __float2bfloat162_rn(float v) { return {__nv_bfloat16(v), __nv_bfloat16(v)}; }
static inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
static inline float2 __bfloat1622float2(__nv_bfloat162 v) { return {float(v.x), float(v.y)}; }
static inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
static inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
