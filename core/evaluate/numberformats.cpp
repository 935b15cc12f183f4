#include "core/evaluate/numberformats.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace dice::evaluate {

namespace {

constexpr std::array formats{
    NumberFormat{"float64", NumberKind::Floating, 8, 53},
    NumberFormat{"float32", NumberKind::Floating, 4, 24},
    NumberFormat{"float16", NumberKind::Floating, 2, 11},
    NumberFormat{"bfloat16", NumberKind::Floating, 2, 8},
    NumberFormat{"float8_e4m3fn", NumberKind::Floating, 1, 4},
    NumberFormat{"float8_e5m2", NumberKind::Floating, 1, 3},
    NumberFormat{"float8_e4m3fnuz", NumberKind::Floating, 1, 4},
    NumberFormat{"float8_e5m2fnuz", NumberKind::Floating, 1, 3},
    NumberFormat{"int8", NumberKind::Integer, 1, 0},
    NumberFormat{"int16", NumberKind::Integer, 2, 0},
    NumberFormat{"int32", NumberKind::Integer, 4, 0},
    NumberFormat{"int64", NumberKind::Integer, 8, 0},
    NumberFormat{"uint8", NumberKind::Integer, 1, 0},
    NumberFormat{"uint16", NumberKind::Integer, 2, 0},
    NumberFormat{"uint32", NumberKind::Integer, 4, 0},
    NumberFormat{"uint64", NumberKind::Integer, 8, 0},
    NumberFormat{"bool", NumberKind::Boolean, 1, 0},
    NumberFormat{"complex64", NumberKind::Complex, 8, 24},
    NumberFormat{"complex128", NumberKind::Complex, 16, 53},
};

template <typename T> T load(const std::byte *bytes)
{
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

// OCP 8-bit floats and their "fnuz" variants (no negative zero: that pattern is NaN; bias one higher).
double float8Value(std::uint8_t bits, int exponentBits, bool isFnuz)
{
    const int fractionBits = 7 - exponentBits;
    const int bias = (1 << (exponentBits - 1)) - (isFnuz ? 0 : 1);
    const int exponent = (bits >> fractionBits) & ((1 << exponentBits) - 1);
    const int fraction = bits & ((1 << fractionBits) - 1);
    const double sign = (bits & 0x80) ? -1.0 : 1.0;
    const bool isTopExponent = exponent == (1 << exponentBits) - 1;
    if (isFnuz) {
        if (bits == 0x80)
            return std::numeric_limits<double>::quiet_NaN();
    } else if (exponentBits == 5 && isTopExponent) {
        return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    } else if (exponentBits == 4 && isTopExponent && fraction == 7) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (exponent == 0)
        return sign * std::ldexp(fraction, 1 - bias - fractionBits);
    return sign * std::ldexp(fraction + (1 << fractionBits), exponent - bias - fractionBits);
}

double integerValue(const NumberFormat &format, const std::byte *bytes)
{
    const bool isUnsigned = format.name.front() == 'u';
    switch (format.sizeBytes) {
    case 1:
        return isUnsigned ? load<std::uint8_t>(bytes) : load<std::int8_t>(bytes);
    case 2:
        return isUnsigned ? load<std::uint16_t>(bytes) : load<std::int16_t>(bytes);
    case 4:
        return isUnsigned ? load<std::uint32_t>(bytes) : load<std::int32_t>(bytes);
    default:
        return isUnsigned ? static_cast<double>(load<std::uint64_t>(bytes))
                          : static_cast<double>(load<std::int64_t>(bytes));
    }
}

} // namespace

const NumberFormat *findNumberFormat(std::string_view dtype)
{
    for (const NumberFormat &format : formats)
        if (format.name == dtype)
            return &format;
    return nullptr;
}

float halfToFloat(std::uint16_t bits)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t fraction = bits & 0x3ffu;
    if (exponent == 0x1f)
        return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent == 0) {
        const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
        return sign ? -magnitude : magnitude;
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

float bfloat16ToFloat(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

bool isExactBfloat16(float value)
{
    return (std::bit_cast<std::uint32_t>(value) & 0xffffu) == 0;
}

bool isExactHalf(float value)
{
    if (value == 0.0f || !std::isfinite(value))
        return true;
    int exponent = 0;
    const float significand = std::frexp(std::fabs(value), &exponent); // in [0.5, 1)
    if (exponent > 16)
        return false;
    // 11 bits in the normal range, fewer below 2^-14.
    const int bits = exponent >= -13 ? 11 : 11 + (exponent + 13);
    if (bits <= 0)
        return false;
    const float scaled = std::ldexp(significand, bits);
    return scaled == std::floor(scaled);
}

double realValue(const NumberFormat &format, const std::byte *bytes)
{
    if (format.kind == NumberKind::Boolean)
        return load<std::uint8_t>(bytes) != 0 ? 1.0 : 0.0;
    if (format.kind == NumberKind::Integer)
        return integerValue(format, bytes);
    if (format.sizeBytes == 8)
        return load<double>(bytes);
    if (format.sizeBytes == 4)
        return load<float>(bytes);
    if (format.sizeBytes == 2) {
        const auto bits = load<std::uint16_t>(bytes);
        return format.significandBits == 11 ? halfToFloat(bits) : bfloat16ToFloat(bits);
    }
    return float8Value(load<std::uint8_t>(bytes), format.significandBits == 4 ? 4 : 5, format.name.ends_with("fnuz"));
}

} // namespace dice::evaluate
