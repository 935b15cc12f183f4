// Whether a candidate's outputs are the reference's: structure, shapes, dtypes, then every element.
//   floats      |out - ref| <= tolerance + tolerance * |ref|; a NaN in the output equals nothing; infinities by sign
//   16 bits     tolerance 1e-2 always; 8 bits: one step of the format
//   integers, booleans, strings: equal. A list counts as a tuple.
#pragma once

#include "core/evaluate/value.h"

#include <cstdint>
#include <string>

namespace dice::evaluate {

struct Comparison
{
    bool isEqual = true;
    std::string difference; // a sentence when the structure, a shape or a dtype differs
    std::string worstPath; // "[1]", "['loss']"; empty for a lone tensor
    std::int64_t worstIndex = -1; // flat, row-major, of the worst element that is outside the tolerance
    double worstError = 0.0; // |out - ref| there; over all elements when everything is inside
    double expected = 0.0;
    double actual = 0.0;
    std::int64_t numWrong = 0;
};

Comparison compare(const CallValues &expected, const CallValues &actual, double tolerance);

} // namespace dice::evaluate
