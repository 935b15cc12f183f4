// CUDA's mathematical functions that the host's library has not, or has under another name.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dice/cmath.h"

static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
static inline float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678118654752440f); }
static inline double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
static inline float normf(int n, const float *v)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += double(v[i]) * v[i];
    return float(::sqrt(sum));
}
static inline float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
static inline float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
static inline float fdividef(float a, float b) { return a / b; }
static inline float sinpif(float x) { return float(::sin(3.14159265358979323846 * x)); }
static inline float cospif(float x) { return float(::cos(3.14159265358979323846 * x)); }
static inline float erfcxf(float x) { return float(::exp(double(x) * x) * ::erfc(double(x))); }
static inline float exp10f_(float x) { return powf(10.0f, x); }
static inline float saturate(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// The fast forms. Emulated exactly: a kernel may rely on their being close, not on their being worse.
static inline float dice_fast_expf(float x) { return expf(x); }
static inline float dice_fast_exp10f(float x) { return exp10f_(x); }
static inline float dice_fast_logf(float x) { return logf(x); }
static inline float dice_fast_log2f(float x) { return log2f(x); }
static inline float dice_fast_log10f(float x) { return log10f(x); }
static inline float dice_fast_powf(float x, float y) { return powf(x, y); }
static inline float dice_fast_sinf(float x) { return sinf(x); }
static inline float dice_fast_cosf(float x) { return cosf(x); }
static inline float dice_fast_tanf(float x) { return tanf(x); }
static inline float dice_fast_tanhf(float x) { return tanhf(x); }
static inline void dice_fast_sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float x) { return saturate(x); }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
// volatile: rounded on its own, never fused into a multiply-add.
static inline float __fmul_rn(float a, float b)
{
    volatile float product = a * b;
    return product;
}
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b)
{
    volatile double product = a * b;
    return product;
}
static inline double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }

// glibc declares functions of these names itself.
#define __expf dice_fast_expf
#define __exp10f dice_fast_exp10f
#define __logf dice_fast_logf
#define __log2f dice_fast_log2f
#define __log10f dice_fast_log10f
#define __powf dice_fast_powf
#define __sinf dice_fast_sinf
#define __cosf dice_fast_cosf
#define __tanf dice_fast_tanf
#define __tanhf dice_fast_tanhf
#define __sincosf dice_fast_sincosf

// Bits.
static inline int __float_as_int(float x)
{
    int bits;
    memcpy(&bits, &x, 4);
    return bits;
}
static inline unsigned __float_as_uint(float x)
{
    unsigned bits;
    memcpy(&bits, &x, 4);
    return bits;
}
static inline float __int_as_float(int x)
{
    float value;
    memcpy(&value, &x, 4);
    return value;
}
static inline float __uint_as_float(unsigned x)
{
    float value;
    memcpy(&value, &x, 4);
    return value;
}
static inline long long __double_as_longlong(double x)
{
    long long bits;
    memcpy(&bits, &x, 8);
    return bits;
}
static inline double __longlong_as_double(long long x)
{
    double value;
    memcpy(&value, &x, 8);
    return value;
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)(x)); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x)
{
    unsigned result = 0;
    for (int i = 0; i < 32; ++i)
        result |= (x >> i & 1u) << (31 - i);
    return result;
}
static inline int __mul24(int a, int b) { return a * b; }
static inline unsigned __umul24(unsigned a, unsigned b) { return a * b; }
static inline int __mulhi(int a, int b) { return int((int64_t(a) * b) >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((uint64_t(a) * b) >> 32); }
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    const uint64_t bytes = uint64_t(b) << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i)
        result |= unsigned(bytes >> (8 * (selector >> (4 * i) & 7u)) & 0xffu) << (8 * i);
    return result;
}
static inline int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 4; ++i)
        c += int(int8_t(a >> (8 * i))) * int(int8_t(b >> (8 * i)));
    return c;
}

// Conversions.
static inline int __float2int_rn(float x) { return int(rintf(x)); }
static inline int __float2int_rz(float x) { return int(x); }
static inline int __float2int_rd(float x) { return int(floorf(x)); }
static inline int __float2int_ru(float x) { return int(ceilf(x)); }
static inline unsigned __float2uint_rn(float x) { return unsigned(rintf(x)); }
static inline unsigned __float2uint_rz(float x) { return unsigned(x); }
static inline float __int2float_rn(int x) { return float(x); }
static inline float __uint2float_rn(unsigned x) { return float(x); }
static inline float __ll2float_rn(long long x) { return float(x); }
static inline float __double2float_rn(double x) { return float(x); }
static inline double __int2double_rn(int x) { return x; }
static inline int __double2int_rz(double x) { return int(x); }

// Loads and stores that say how to cache.
template <class T> inline T __ldg(const T *address) { return *address; }
template <class T> inline T __ldcs(const T *address) { return *address; }
template <class T> inline T __ldca(const T *address) { return *address; }
template <class T> inline T __ldcg(const T *address) { return *address; }
template <class T> inline void __stcs(T *address, T value) { *address = value; }
template <class T> inline void __stcg(T *address, T value) { *address = value; }
template <class T> inline void __stwt(T *address, T value) { *address = value; }

// min and max of the global namespace, for every pair that CUDA's headers have.
#define DICE_MIN_MAX(Type)                                                                                            \
    static inline constexpr Type min(Type a, Type b) { return b < a ? b : a; }                                       \
    static inline constexpr Type max(Type a, Type b) { return a < b ? b : a; }
DICE_MIN_MAX(int)
DICE_MIN_MAX(unsigned int)
DICE_MIN_MAX(long)
DICE_MIN_MAX(unsigned long)
DICE_MIN_MAX(long long)
DICE_MIN_MAX(unsigned long long)
#undef DICE_MIN_MAX
#define DICE_MIN_MAX_MIXED(A, B, Result)                                                                              \
    static inline constexpr Result min(A a, B b) { return min(static_cast<Result>(a), static_cast<Result>(b)); }      \
    static inline constexpr Result max(A a, B b) { return max(static_cast<Result>(a), static_cast<Result>(b)); }      \
    static inline constexpr Result min(B a, A b) { return min(static_cast<Result>(a), static_cast<Result>(b)); }      \
    static inline constexpr Result max(B a, A b) { return max(static_cast<Result>(a), static_cast<Result>(b)); }
DICE_MIN_MAX_MIXED(int, unsigned int, unsigned int)
DICE_MIN_MAX_MIXED(int, long, long)
DICE_MIN_MAX_MIXED(int, unsigned long, unsigned long)
DICE_MIN_MAX_MIXED(int, long long, long long)
DICE_MIN_MAX_MIXED(unsigned int, long, long)
DICE_MIN_MAX_MIXED(unsigned int, unsigned long, unsigned long)
DICE_MIN_MAX_MIXED(long, unsigned long, unsigned long)
DICE_MIN_MAX_MIXED(long, long long, long long)
#undef DICE_MIN_MAX_MIXED
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return ::fmin(a, b); }
static inline double max(double a, double b) { return ::fmax(a, b); }
static inline double min(float a, double b) { return ::fmin(a, b); }
static inline double max(float a, double b) { return ::fmax(a, b); }
static inline double min(double a, float b) { return ::fmin(a, b); }
static inline double max(double a, float b) { return ::fmax(a, b); }
static inline float min(float a, int b) { return fminf(a, b); }
static inline float max(float a, int b) { return fmaxf(a, b); }
static inline float min(int a, float b) { return fminf(a, b); }
static inline float max(int a, float b) { return fmaxf(a, b); }
static inline long long llmin(long long a, long long b) { return b < a ? b : a; }
static inline long long llmax(long long a, long long b) { return a < b ? b : a; }
static inline unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
static inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }

#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_MAX_NORMAL_F 3.402823466e38f
#define CUDART_MIN_DENORM_F 1.401298464e-45f
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_SQRT_2PI_F 2.506628275f
#define CUDART_L2E_F 1.442695041f
#define CUDART_LN2_F 0.693147181f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_2_OVER_PI_F 0.636619772f
