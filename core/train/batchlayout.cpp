#include "batchlayout.h"

#include <algorithm>

namespace dice::train {

std::int64_t noisyStart(const Document &document, std::int32_t blockLength)
{
    return document.promptLength / blockLength * blockLength;
}

std::int64_t layoutLength(const Document &document, std::int32_t blockLength)
{
    return 2 * static_cast<std::int64_t>(document.tokens.size()) - noisyStart(document, blockLength);
}

std::int64_t rowLengthFor(std::int64_t positions)
{
    constexpr std::int64_t smallest = 64;
    std::int64_t octave = smallest;
    while (2 * octave < positions)
        octave *= 2;
    const std::int64_t stride = std::max(octave / 8, smallest);
    return std::max(smallest, (positions + stride - 1) / stride * stride);
}

} // namespace dice::train
