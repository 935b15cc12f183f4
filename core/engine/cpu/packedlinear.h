// y = x W^T for the few rows of a decoding step, where reading the weights is most of the work. Weights that are
// bfloat16 numbers stay so in memory, half the bytes; the arithmetic is float32 all the same.
#pragma once

#include "core/engine/cpu/hugepages.h"

#include <cstdint>
#include <span>

namespace dice::engine::cpu {

class PackedLinear
{
public:
    PackedLinear() = default;
    // `weights`: numOut rows of numIn floats.
    PackedLinear(std::span<const float> weights, int numOut, int numIn);

    int numOut() const { return m_numOut; }
    int numIn() const { return m_numIn; }

    // Fills y [numRows, numOut] from x [numRows, numIn]; with enough work on all threads of the process.
    void apply(const float *x, int numRows, float *y) const;

private:
    int numPanels() const;
    void applyPanels(const float *x, int numRows, float *y, int fromPanel, int toPanel) const;
    void applyPanel(const float *x, int numRows, float *y, int panel) const;

    int m_numOut = 0;
    int m_numIn = 0;
    // [panel][numIn][panelWidth]; one of the two is filled.
    HugeVector<float> m_floats;
    HugeVector<std::uint16_t> m_bfloats;
};

} // namespace dice::engine::cpu
