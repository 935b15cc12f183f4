// CUDA's vector types: plain structs with CUDA's alignments, and their make_ functions.
#pragma once

#include "dice/hostapi.h"

#include <stddef.h>
#include <stdint.h>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define DICE_VECTOR_TYPES(Prefix, Type, Align2, Align4)                                                               \
    struct Prefix##1 { Type x; };                                                                                     \
    struct alignas(Align2) Prefix##2 { Type x, y; };                                                                  \
    struct Prefix##3 { Type x, y, z; };                                                                               \
    struct alignas(Align4) Prefix##4 { Type x, y, z, w; };                                                            \
    static inline Prefix##1 make_##Prefix##1(Type x) { return {x}; }                                                  \
    static inline Prefix##2 make_##Prefix##2(Type x, Type y) { return {x, y}; }                                       \
    static inline Prefix##3 make_##Prefix##3(Type x, Type y, Type z) { return {x, y, z}; }                            \
    static inline Prefix##4 make_##Prefix##4(Type x, Type y, Type z, Type w) { return {x, y, z, w}; }

DICE_VECTOR_TYPES(char, signed char, 2, 4)
DICE_VECTOR_TYPES(uchar, unsigned char, 2, 4)
DICE_VECTOR_TYPES(short, short, 4, 8)
DICE_VECTOR_TYPES(ushort, unsigned short, 4, 8)
DICE_VECTOR_TYPES(int, int, 8, 16)
DICE_VECTOR_TYPES(long, long, 16, 16)
DICE_VECTOR_TYPES(ulong, unsigned long, 16, 16)
DICE_VECTOR_TYPES(longlong, long long, 16, 16)
DICE_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
DICE_VECTOR_TYPES(float, float, 8, 16)
DICE_VECTOR_TYPES(double, double, 16, 16)
#undef DICE_VECTOR_TYPES

// uint3 is the type of threadIdx and so of the program's own table: reads of it and the program's writes must alias.
using uint3 = DiceIndex;
struct uint1 { unsigned int x; };
struct alignas(8) uint2 { unsigned int x, y; };
struct alignas(16) uint4 { unsigned int x, y, z, w; };
static inline uint1 make_uint1(unsigned int x) { return {x}; }
static inline uint2 make_uint2(unsigned int x, unsigned int y) { return {x, y}; }
static inline uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return {x, y, z}; }
static inline uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) { return {x, y, z, w}; }

struct dim3
{
    unsigned int x = 1, y = 1, z = 1;

    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx)
        , y(vy)
        , z(vz)
    {
    }
    constexpr dim3(uint3 v)
        : x(v.x)
        , y(v.y)
        , z(v.z)
    {
    }
    constexpr operator uint3() const { return {x, y, z}; }
};
