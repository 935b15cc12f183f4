// half and half2.
#pragma once

#include "dice/smallfloats.h"

DICE_SMALL_FLOAT_TYPE(__half, __half2, halfToFloat, floatToHalf, doubleToHalf)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

static inline __half __float2half(float v) { return v; }
static inline __half __float2half_rn(float v) { return v; }
static inline __half __double2half(double v) { return v; }
static inline float __half2float(__half v) { return v; }
static inline __half __int2half_rn(int v) { return v; }
static inline __half __uint2half_rn(unsigned v) { return v; }
static inline int __half2int_rn(__half v) { return int(rintf(v)); }
static inline int __half2int_rz(__half v) { return int(float(v)); }
static inline unsigned short __half_as_ushort(__half v) { return v.bits; }
static inline short __half_as_short(__half v) { return short(v.bits); }
static inline __half __ushort_as_half(unsigned short v) { return dice::from(v, static_cast<__half *>(nullptr)); }
static inline __half2 make_half2(__half a, __half b) { return {a, b}; }
static inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
static inline __half2 __half2half2(__half a) { return {a, a}; }
static inline __half2 __float2half2_rn(float v) { return {__half(v), __half(v)}; }
static inline __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
static inline __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
static inline float2 __half22float2(__half2 v) { return {float(v.x), float(v.y)}; }
static inline __half __low2half(__half2 v) { return v.x; }
static inline __half __high2half(__half2 v) { return v.y; }
static inline __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
static inline __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
static inline __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)
