// How long a document is in a row of a training batch. Torch-free.
#pragma once

#include "core/train/maskeddocument.h"

#include <cstdint>

namespace dice::train {

// First token of the noisy copy: the block that holds the first answer token.
std::int64_t noisyStart(const Document &document, std::int32_t blockLength);

// Positions that a document takes in a row: its tokens and its noisy copy.
std::int64_t layoutLength(const Document &document, std::int32_t blockLength);

// The length of a row that holds `positions`: the next of eight steps an octave, at least 64. Attention kernels are
// chosen and built once a shape, so there must be few of them.
std::int64_t rowLengthFor(std::int64_t positions);

} // namespace dice::train
