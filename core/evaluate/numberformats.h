// The element types of tensors as bytes: their sizes and their values as double. Must not know torch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dice::evaluate {

enum class NumberKind { Floating, Integer, Boolean, Complex };

struct NumberFormat
{
    std::string_view name; // as torch prints it, without "torch."
    NumberKind kind;
    std::size_t sizeBytes;
    int significandBits; // of a float, the hidden one included; 0 for the rest
};

// Nothing for a name that is no dtype known here.
const NumberFormat *findNumberFormat(std::string_view dtype);

// The value of one real element (Floating, Integer below 2^53, Boolean). `bytes` need not be aligned.
double realValue(const NumberFormat &format, const std::byte *bytes);

float halfToFloat(std::uint16_t bits);
float bfloat16ToFloat(std::uint16_t bits);
// Whether a float32 loses nothing in the shorter format.
bool isExactHalf(float value);
bool isExactBfloat16(float value);

} // namespace dice::evaluate
