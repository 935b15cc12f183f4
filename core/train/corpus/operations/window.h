// Sizes of sliding windows, for pooling and convolution. Must not know kernels.
#pragma once

#include <cstdint>

namespace dice::corpus {

// Number of positions of a window along an axis; below 1 when it does not fit.
inline int64_t windowPositions(int64_t size, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation)
{
    const int64_t room = size + 2 * padding - dilation * (kernel - 1) - 1;
    return room < 0 ? 0 : room / stride + 1;
}

} // namespace dice::corpus
