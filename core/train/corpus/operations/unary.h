// Elementwise operations of one tensor as table rows: the ways people write them in Python, and the statement over
// `v` that computes them in CUDA.
#pragma once

#include "core/train/corpus/operation.h"

namespace dice::corpus {

struct UnaryNumber
{
    std::string_view names; // first: the attribute of the nn module
    std::string_view values; // what people write
    std::string_view standard; // the value where a form does not name it
};

enum UnaryFlags {
    NeedsPositive = 1,
    NeedsSmall = 2, // overflows on large values
    Jumps = 4, // rounding before it could flip the result
    GivesPositive = 8,
    Grows = 16, // the result may be large
    Bounds = 32, // the result is small again
};

struct UnaryRow
{
    std::string_view name;
    // Separated by '|'. {x}: the value, in parentheses when it must be; {y}: the same on an operator's right side;
    // {m}, {f}: as a factor, as the operand of a minus; {a}: as a bare argument; {0}, {1}: numbers. "T:", "A:", "P:":
    // the result binds like *, +, **; "F:" like -x. A form that starts with "nn." is a sub-module.
    std::string_view forms;
    std::string_view code; // $0, $1: numbers
    int flags = 0;
    UnaryNumber first = {};
    UnaryNumber second = {};
};

Operation unaryOperation(const UnaryRow &row, std::string_view family, int weight);

} // namespace dice::corpus
