// The loops that a decoding step on the CPU consists of, each compiled for several instruction sets and chosen at run
// time. Plain floats in and out; they know no model and start no threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dice::engine::cpu {

inline constexpr int panelWidth = 16; // columns that one product computes at once

struct RowsIn
{
    const float *values;
    std::ptrdiff_t stride; // floats from one row to the next
    int count;
    int length; // floats of a row that count
};

// `length` rows of panelWidth numbers, `stride` numbers apart. bfloat16 numbers are widened while they are read.
template <typename Weight> // float or std::uint16_t (bfloat16)
struct Panel
{
    const Weight *values;
    std::ptrdiff_t stride;
};

struct RowsOut
{
    float *values;
    std::ptrdiff_t stride;
    int numColumns; // at most panelWidth
};

// out[row, column] = sum over k of in[row, k] * panel[k, column]
void multiply(const RowsIn &in, const Panel<float> &panel, const RowsOut &out);
void multiply(const RowsIn &in, const Panel<std::uint16_t> &panel, const RowsOut &out);

// Rows that `multiply` treats at once: callers gain by giving multiples of it.
int bestRowCount();

// out = x / sqrt(mean(x^2) + epsilon) * weight; `out` may be `x`.
void rmsNorm(const float *x, const float *weight, float epsilon, float *out, int length);

// Rotates the halves of one head by its position's angles (rotate_half); cos and sin have `length` entries.
void rotate(float *x, const float *cos, const float *sin, int length);

// The first `numVisible` scores, times `scale`, become their softmax; the others up to `length` become 0.
void softmax(float *scores, float scale, int numVisible, int length);

// out = gate / (1 + exp(-gate)) * up
void gatedSilu(const float *gate, const float *up, float *out, int length);

// sums += addends
void add(float *sums, const float *addends, int length);

} // namespace dice::engine::cpu
