// Keys and values on the CPU, laid out for products: keys in panels of 16 tokens, values in panels of 16 numbers.
#pragma once

#include "core/engine/cpu/hugepages.h"
#include "core/engine/cpu/kernels.h"

#include <cstddef>

namespace dice::engine::cpu {

class CpuCache
{
public:
    struct Shape
    {
        int numLayers = 0;
        int numKvHeads = 0;
        int headSize = 0;
        int capacity = 0; // tokens
    };

    // Empty afterwards; the old buffers are kept when they are large enough.
    void reset(Shape shape);

    int length() const { return m_length; }
    int capacity() const { return m_shape.capacity; }
    void keep(int count) { m_length += count; } // the first tokens written behind the kept ones stay

    // Writes the vectors of one token behind the kept ones at `offset`.
    void write(int layer, int head, int offset, const float *key, const float *value);

    // The keys of tokens 16*panel .. 16*panel+15 as a panel over the head's numbers.
    Panel<float> keyPanel(int layer, int head, int panel) const;
    // Numbers 16*part .. 16*part+15 of all values as a panel over tokens.
    Panel<float> valuePanel(int layer, int head, int part) const;

private:
    std::ptrdiff_t offsetOf(int layer, int head) const;
    std::ptrdiff_t valueOffset(int layer, int head, int part) const;

    Shape m_shape;
    int m_rowLength = 0; // head size rounded up to whole panels
    int m_length = 0;
    HugeVector<float> m_keys; // [layer][head][token / 16][headSize][16]
    HugeVector<float> m_values; // [layer][head][number / 16][token][16]
};

} // namespace dice::engine::cpu
