// How much arithmetic the library did, in elements read and written: a measure that counts a convolution and a clamp
// alike by what they move, so that the part beside a heavy operation still shows.
#pragma once

#include "core/evaluate/workerprotocol.h"

namespace dice::evaluate {

struct LibraryWork
{
    std::int64_t elements = 0;
    std::string largest; // the operation with the most, "mm"; empty when there is none
};

// Allocation, views, copies and fills are no arithmetic.
LibraryWork libraryWork(const std::vector<OperationCount> &operations);

} // namespace dice::evaluate
