#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// Written with the compiler's vector types: one vector is one register of AVX-512, two of AVX2, four of SSE2. The same
// text is compiled for each, and so many rows are held in registers at once as fit.
#define DICE_INLINE inline __attribute__((always_inline))
#define DICE_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define DICE_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")))
#define DICE_AVX2 __attribute__((target("avx2,fma")))

namespace dice::engine::cpu {

namespace {

constexpr int width = panelWidth;

using Floats = float __attribute__((vector_size(width * sizeof(float))));
using Integers = std::int32_t __attribute__((vector_size(width * sizeof(std::int32_t))));
using Words = std::uint32_t __attribute__((vector_size(width * sizeof(std::uint32_t))));
using Halves = std::uint16_t __attribute__((vector_size(width * sizeof(std::uint16_t))));

DICE_INLINE void load(const float *from, Floats &into)
{
    std::memcpy(&into, from, sizeof into);
}

// A bfloat16 is the upper half of a float.
DICE_INLINE void load(const std::uint16_t *from, Floats &into)
{
    Halves halves;
    std::memcpy(&halves, from, sizeof halves);
    const Words words = __builtin_convertvector(halves, Words) << 16;
    std::memcpy(&into, &words, sizeof into);
}

DICE_INLINE void store(const Floats &from, float *to)
{
    std::memcpy(to, &from, sizeof from);
}

DICE_INLINE float sumOf(const Floats &values)
{
    float sum = 0.0f;
    for (int i = 0; i < width; ++i)
        sum += values[i];
    return sum;
}

template <int count, typename Weight>
DICE_INLINE void multiplyRows(const RowsIn &in, const Panel<Weight> &panel, const RowsOut &out)
{
    Floats sums[count] = {};
    for (int k = 0; k < in.length; ++k) {
        Floats weights;
        load(panel.values + k * panel.stride, weights);
#pragma GCC unroll 16
        for (int row = 0; row < count; ++row)
            sums[row] += weights * in.values[row * in.stride + k];
    }
#pragma GCC unroll 16
    for (int row = 0; row < count; ++row)
        std::memcpy(out.values + row * out.stride, &sums[row],
                    static_cast<std::size_t>(out.numColumns) * sizeof(float));
}

template <int count, typename Weight>
DICE_INLINE void multiplyWhile(RowsIn &in, const Panel<Weight> &panel, RowsOut &out)
{
    for (; in.count >= count; in.count -= count) {
        multiplyRows<count>(in, panel, out);
        in.values += count * in.stride;
        out.values += count * out.stride;
    }
}

template <int maxCount, typename Weight>
DICE_INLINE void multiplyAll(RowsIn in, const Panel<Weight> &panel, RowsOut out)
{
    multiplyWhile<maxCount>(in, panel, out);
    if constexpr (maxCount > 8)
        multiplyWhile<8>(in, panel, out);
    if constexpr (maxCount > 4)
        multiplyWhile<4>(in, panel, out);
    multiplyWhile<2>(in, panel, out);
    multiplyWhile<1>(in, panel, out);
}

template <typename Weight>
DICE_AVX512 void multiplyAvx512(const RowsIn &in, const Panel<Weight> &panel, const RowsOut &out)
{
    multiplyAll<16>(in, panel, out);
}

template <typename Weight> DICE_AVX2 void multiplyAvx2(const RowsIn &in, const Panel<Weight> &panel, const RowsOut &out)
{
    multiplyAll<4>(in, panel, out);
}

template <typename Weight> void multiplyBaseline(const RowsIn &in, const Panel<Weight> &panel, const RowsOut &out)
{
    multiplyAll<2>(in, panel, out);
}

enum class Instructions { Avx512, Avx2, Baseline };

Instructions bestInstructions()
{
    static const Instructions best = [] {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
            return Instructions::Avx512;
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            return Instructions::Avx2;
        return Instructions::Baseline;
    }();
    return best;
}

template <typename Weight> void multiplyBest(const RowsIn &in, const Panel<Weight> &panel, const RowsOut &out)
{
    switch (bestInstructions()) {
    case Instructions::Avx512:
        return multiplyAvx512(in, panel, out);
    case Instructions::Avx2:
        return multiplyAvx2(in, panel, out);
    case Instructions::Baseline:
        return multiplyBaseline(in, panel, out);
    }
}

// e^x for x <= 88, to about one unit in the last place: 2^n times a polynomial in the rest (Cody and Waite reduction,
// Taylor coefficients). Below -87 the result is 0.
DICE_INLINE void exponential(const Floats &x, Floats &out)
{
    constexpr float log2e = 1.44269504088896341f;
    constexpr float ln2High = 0.693359375f;
    constexpr float ln2Low = -2.12194440e-4f;
    const Integers isTiny = x < -87.0f;
    const Floats safe = isTiny ? Floats{} : x;
    const Floats scaled = safe * log2e;
    const Floats half = scaled < 0.0f ? Floats{} - 0.5f : Floats{} + 0.5f;
    const Integers power = __builtin_convertvector(scaled + half, Integers);
    const Floats whole = __builtin_convertvector(power, Floats);
    const Floats rest = (safe - whole * ln2High) - whole * ln2Low;
    Floats sum = rest * (1.0f / 5040.0f) + (1.0f / 720.0f);
    sum = sum * rest + (1.0f / 120.0f);
    sum = sum * rest + (1.0f / 24.0f);
    sum = sum * rest + (1.0f / 6.0f);
    sum = sum * rest + 0.5f;
    sum = sum * rest + 1.0f;
    sum = sum * rest + 1.0f;
    const Integers exponent = (power + 127) << 23;
    Floats factor;
    std::memcpy(&factor, &exponent, sizeof factor);
    out = isTiny ? Floats{} : sum * factor;
}

// Loads up to a vector from the end of an array; what is missing is `filler`.
DICE_INLINE void loadPart(const float *from, int count, float filler, Floats &into)
{
    into = Floats{} + filler;
    std::memcpy(&into, from, static_cast<std::size_t>(std::min(count, width)) * sizeof(float));
}

DICE_INLINE void storePart(const Floats &from, float *to, int count)
{
    std::memcpy(to, &from, static_cast<std::size_t>(std::min(count, width)) * sizeof(float));
}

DICE_INLINE float largestOf(const float *values, int count)
{
    Floats largest = Floats{} - INFINITY;
    for (int i = 0; i < count; i += width) {
        Floats some;
        loadPart(values + i, count - i, -INFINITY, some);
        largest = some > largest ? some : largest;
    }
    float best = largest[0];
    for (int i = 1; i < width; ++i)
        best = std::max(best, largest[i]);
    return best;
}

} // namespace

void multiply(const RowsIn &in, const Panel<float> &panel, const RowsOut &out)
{
    multiplyBest(in, panel, out);
}

void multiply(const RowsIn &in, const Panel<std::uint16_t> &panel, const RowsOut &out)
{
    multiplyBest(in, panel, out);
}

int bestRowCount()
{
    return bestInstructions() == Instructions::Avx512 ? 16 : 4;
}

DICE_CLONES void rmsNorm(const float *x, const float *weight, float epsilon, float *out, int length)
{
    Floats squares{};
    int i = 0;
    for (; i + width <= length; i += width) {
        Floats values;
        load(x + i, values);
        squares += values * values;
    }
    float sum = sumOf(squares);
    for (; i < length; ++i)
        sum += x[i] * x[i];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(length) + epsilon);
    for (i = 0; i < length; ++i)
        out[i] = x[i] * scale * weight[i];
}

DICE_CLONES void rotate(float *x, const float *cos, const float *sin, int length)
{
    const int half = length / 2;
    for (int i = 0; i < half; ++i) {
        const float low = x[i];
        const float high = x[half + i];
        x[i] = low * cos[i] - high * sin[i];
        x[half + i] = high * cos[half + i] + low * sin[half + i];
    }
}

DICE_CLONES void softmax(float *scores, float scale, int numVisible, int length)
{
    const float best = largestOf(scores, numVisible);
    Floats sums{};
    for (int i = 0; i < numVisible; i += width) {
        Floats values;
        loadPart(scores + i, numVisible - i, -INFINITY, values); // the filler's exponential is 0
        Floats powers;
        exponential((values - best) * scale, powers);
        storePart(powers, scores + i, numVisible - i);
        sums += powers;
    }
    const float share = 1.0f / sumOf(sums);
    for (int i = 0; i < numVisible; ++i)
        scores[i] *= share;
    std::fill(scores + numVisible, scores + length, 0.0f);
}

DICE_CLONES void gatedSilu(const float *gate, const float *up, float *out, int length)
{
    for (int i = 0; i < length; i += width) {
        Floats gates, ups, powers;
        loadPart(gate + i, length - i, 0.0f, gates);
        loadPart(up + i, length - i, 0.0f, ups);
        exponential(gates < -80.0f ? Floats{} + 80.0f : Floats{} - gates, powers);
        storePart(gates / (powers + 1.0f) * ups, out + i, length - i);
    }
}

DICE_CLONES void add(float *sums, const float *addends, int length)
{
    for (int i = 0; i < length; ++i)
        sums[i] += addends[i];
}

} // namespace dice::engine::cpu
