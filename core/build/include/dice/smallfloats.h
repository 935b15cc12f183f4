// __half and __nv_bfloat16 with their pairs: arithmetic in float, rounded once to the small type, as the GPU does.
#pragma once

#include "dice/device.h"

#include <string.h>

namespace dice {

inline float halfToFloat(unsigned short bits)
{
    _Float16 half;
    memcpy(&half, &bits, 2);
    return float(half);
}
inline unsigned short floatToHalf(float value)
{
    const _Float16 half = _Float16(value);
    unsigned short bits;
    memcpy(&bits, &half, 2);
    return bits;
}
inline unsigned short doubleToHalf(double value)
{
    const _Float16 half = _Float16(value);
    unsigned short bits;
    memcpy(&bits, &half, 2);
    return bits;
}
inline float bfloatToFloat(unsigned short bits)
{
    const unsigned wide = unsigned(bits) << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
}
inline unsigned short floatToBfloat(float value)
{
    unsigned bits;
    memcpy(&bits, &value, 4);
    return value != value ? 0x7fffu : (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
// To odd first, so that the second rounding cannot go wrong.
inline unsigned short doubleToBfloat(double value)
{
    float narrow = float(value);
    unsigned bits;
    memcpy(&bits, &narrow, 4);
    if (double(narrow) != value && narrow == narrow && (bits & 1) == 0) {
        const bool isTooLarge = (value > 0) == (double(narrow) > value);
        bits = isTooLarge ? bits - 1 : bits + 1;
        memcpy(&narrow, &bits, 4);
    }
    return floatToBfloat(narrow);
}

} // namespace dice

#define DICE_SMALL_FLOAT_TYPE(Type, Pair, toFloat, fromFloat, fromDouble)                                             \
    struct alignas(2) Type                                                                                            \
    {                                                                                                                 \
        unsigned short bits;                                                                                          \
        Type() = default;                                                                                             \
        Type(float v) : bits(dice::fromFloat(v)) {}                                                                   \
        Type(double v) : bits(dice::fromDouble(v)) {}                                                                 \
        Type(int v) : bits(dice::fromFloat(float(v))) {}                                                              \
        Type(unsigned v) : bits(dice::fromFloat(float(v))) {}                                                         \
        Type(long v) : bits(dice::fromFloat(float(v))) {}                                                             \
        Type(long long v) : bits(dice::fromFloat(float(v))) {}                                                        \
        Type(unsigned long v) : bits(dice::fromFloat(float(v))) {}                                                    \
        operator float() const { return dice::toFloat(bits); }                                                        \
    };                                                                                                                \
    struct alignas(4) Pair                                                                                            \
    {                                                                                                                 \
        Type x, y;                                                                                                    \
        Pair() = default;                                                                                             \
        Pair(Type a, Type b) : x(a), y(b) {}                                                                          \
    };                                                                                                                \
    namespace dice {                                                                                                  \
    inline Type from(unsigned short bits, const Type *)                                                               \
    {                                                                                                                 \
        Type result;                                                                                                  \
        result.bits = bits;                                                                                           \
        return result;                                                                                                \
    }                                                                                                                 \
    }                                                                                                                 \
    inline Type operator+(Type a, Type b) { return float(a) + float(b); }                                             \
    inline Type operator-(Type a, Type b) { return float(a) - float(b); }                                             \
    inline Type operator*(Type a, Type b) { return float(a) * float(b); }                                             \
    inline Type operator/(Type a, Type b) { return float(a) / float(b); }                                             \
    inline Type operator-(Type a) { return -float(a); }                                                               \
    inline Type &operator+=(Type &a, Type b) { return a = a + b; }                                                    \
    inline Type &operator-=(Type &a, Type b) { return a = a - b; }                                                    \
    inline Type &operator*=(Type &a, Type b) { return a = a * b; }                                                    \
    inline Type &operator/=(Type &a, Type b) { return a = a / b; }                                                    \
    inline bool operator<(Type a, Type b) { return float(a) < float(b); }                                             \
    inline bool operator>(Type a, Type b) { return float(a) > float(b); }                                             \
    inline bool operator<=(Type a, Type b) { return float(a) <= float(b); }                                           \
    inline bool operator>=(Type a, Type b) { return float(a) >= float(b); }                                           \
    inline bool operator==(Type a, Type b) { return float(a) == float(b); }                                           \
    inline bool operator!=(Type a, Type b) { return float(a) != float(b); }                                           \
    inline Type __hadd(Type a, Type b) { return a + b; }                                                              \
    inline Type __hsub(Type a, Type b) { return a - b; }                                                              \
    inline Type __hmul(Type a, Type b) { return a * b; }                                                              \
    inline Type __hdiv(Type a, Type b) { return a / b; }                                                              \
    inline Type __hneg(Type a) { return -a; }                                                                         \
    inline Type __habs(Type a) { return fabsf(a); }                                                                   \
    inline Type __hfma(Type a, Type b, Type c) { return double(float(a)) * float(b) + float(c); }                     \
    inline Type __hmax(Type a, Type b) { return fmaxf(a, b); }                                                        \
    inline Type __hmin(Type a, Type b) { return fminf(a, b); }                                                        \
    inline bool __hgt(Type a, Type b) { return a > b; }                                                               \
    inline bool __hge(Type a, Type b) { return a >= b; }                                                              \
    inline bool __hlt(Type a, Type b) { return a < b; }                                                               \
    inline bool __hle(Type a, Type b) { return a <= b; }                                                              \
    inline bool __heq(Type a, Type b) { return a == b; }                                                              \
    inline bool __hne(Type a, Type b) { return a != b; }                                                              \
    inline bool __hisnan(Type a) { return float(a) != float(a); }                                                     \
    inline Type hexp(Type a) { return expf(a); }                                                                      \
    inline Type hlog(Type a) { return logf(a); }                                                                      \
    inline Type hsqrt(Type a) { return sqrtf(a); }                                                                    \
    inline Type hrsqrt(Type a) { return 1.0f / sqrtf(a); }                                                            \
    inline Type hrcp(Type a) { return 1.0f / float(a); }                                                              \
    inline Type hsin(Type a) { return sinf(a); }                                                                      \
    inline Type hcos(Type a) { return cosf(a); }                                                                      \
    inline Type htanh(Type a) { return tanhf(a); }                                                                    \
    inline Type hfloor(Type a) { return floorf(a); }                                                                  \
    inline Type hceil(Type a) { return ceilf(a); }                                                                    \
    inline Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }                                          \
    inline Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }                                          \
    inline Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }                                          \
    inline Pair operator/(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }                                          \
    inline Pair __hadd2(Pair a, Pair b) { return a + b; }                                                             \
    inline Pair __hsub2(Pair a, Pair b) { return a - b; }                                                             \
    inline Pair __hmul2(Pair a, Pair b) { return a * b; }                                                             \
    inline Pair __h2div(Pair a, Pair b) { return a / b; }                                                             \
    inline Pair __hneg2(Pair a) { return {-a.x, -a.y}; }                                                              \
    inline Pair __habs2(Pair a) { return {__habs(a.x), __habs(a.y)}; }                                                \
    inline Pair __hfma2(Pair a, Pair b, Pair c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }            \
    inline Pair __hmax2(Pair a, Pair b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                              \
    inline Pair __hmin2(Pair a, Pair b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }                              \
    inline Pair h2exp(Pair a) { return {hexp(a.x), hexp(a.y)}; }                                                      \
    inline Pair h2sqrt(Pair a) { return {hsqrt(a.x), hsqrt(a.y)}; }                                                   \
    inline Pair h2rsqrt(Pair a) { return {hrsqrt(a.x), hrsqrt(a.y)}; }                                                \
    inline Pair h2rcp(Pair a) { return {hrcp(a.x), hrcp(a.y)}; }                                                      \
    inline float __low2float(Pair a) { return a.x; }                                                                  \
    inline float __high2float(Pair a) { return a.y; }                                                                 \
    inline Type atomicAdd(Type *a, Type v)                                                                            \
    {                                                                                                                 \
        return dice::atomicChange(a, [v](Type old) { return old + v; });                                              \
    }                                                                                                                 \
    inline Pair atomicAdd(Pair *a, Pair v)                                                                            \
    {                                                                                                                 \
        return dice::atomicChange(a, [v](Pair old) { return old + v; });                                              \
    }
