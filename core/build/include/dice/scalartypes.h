// Torch's element types: their numbers are LibTorch's own, so they cross the border unchanged.
#pragma once

#include "dice/exception.h"

#include <stdint.h>
#include <string.h>

#include <string>

#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#define C10_LIKELY(x) __builtin_expect(!!(x), 1)
#define C10_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define C10_RESTRICT __restrict
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_LAUNCH_BOUNDS_0
#define C10_LAUNCH_BOUNDS_1(a)
#define C10_LAUNCH_BOUNDS_2(a, b)
#define C10_UNUSED __attribute__((unused))

namespace c10 {

enum class ScalarType : int8_t {
    Byte = 0, Char = 1, Short = 2, Int = 3, Long = 4, Half = 5, Float = 6, Double = 7, ComplexHalf = 8,
    ComplexFloat = 9, ComplexDouble = 10, Bool = 11, BFloat16 = 15, Undefined = 44
};

namespace detail {

inline float halfToFloat(uint16_t bits)
{
    _Float16 half;
    memcpy(&half, &bits, 2);
    return float(half);
}
inline uint16_t floatToHalf(float value)
{
    const _Float16 half = _Float16(value);
    uint16_t bits;
    memcpy(&bits, &half, 2);
    return bits;
}
inline float bfloatToFloat(uint16_t bits)
{
    const uint32_t wide = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
}
// Round to nearest, ties to even; every NaN becomes the canonical one.
inline uint16_t floatToBfloat(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    if (value != value)
        return 0x7fc0;
    return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

} // namespace detail

#define DICE_SMALL_FLOAT(Name, toFloat, fromFloat)                                                                    \
    struct alignas(2) Name                                                                                            \
    {                                                                                                                 \
        uint16_t x;                                                                                                   \
        struct from_bits_t {};                                                                                        \
        static constexpr from_bits_t from_bits() { return {}; }                                                       \
        Name() = default;                                                                                             \
        constexpr Name(uint16_t bits, from_bits_t)                                                                    \
            : x(bits)                                                                                                 \
        {                                                                                                             \
        }                                                                                                             \
        Name(float value)                                                                                             \
            : x(detail::fromFloat(value))                                                                             \
        {                                                                                                             \
        }                                                                                                             \
        operator float() const { return detail::toFloat(x); }                                                         \
    };                                                                                                                \
    inline Name operator+(Name a, Name b) { return float(a) + float(b); }                                             \
    inline Name operator-(Name a, Name b) { return float(a) - float(b); }                                             \
    inline Name operator*(Name a, Name b) { return float(a) * float(b); }                                             \
    inline Name operator/(Name a, Name b) { return float(a) / float(b); }                                             \
    inline Name operator-(Name a) { return -float(a); }                                                               \
    inline Name &operator+=(Name &a, Name b) { return a = a + b; }                                                    \
    inline Name &operator-=(Name &a, Name b) { return a = a - b; }                                                    \
    inline Name &operator*=(Name &a, Name b) { return a = a * b; }                                                    \
    inline Name &operator/=(Name &a, Name b) { return a = a / b; }                                                    \
    inline float operator+(Name a, float b) { return float(a) + b; }                                                  \
    inline float operator-(Name a, float b) { return float(a) - b; }                                                  \
    inline float operator*(Name a, float b) { return float(a) * b; }                                                  \
    inline float operator/(Name a, float b) { return float(a) / b; }                                                  \
    inline float operator+(float a, Name b) { return a + float(b); }                                                  \
    inline float operator-(float a, Name b) { return a - float(b); }                                                  \
    inline float operator*(float a, Name b) { return a * float(b); }                                                  \
    inline float operator/(float a, Name b) { return a / float(b); }                                                  \
    inline Name operator+(Name a, int b) { return a + Name(float(b)); }                                               \
    inline Name operator-(Name a, int b) { return a - Name(float(b)); }                                               \
    inline Name operator*(Name a, int b) { return a * Name(float(b)); }                                               \
    inline Name operator/(Name a, int b) { return a / Name(float(b)); }                                               \
    inline Name operator+(int a, Name b) { return Name(float(a)) + b; }                                               \
    inline Name operator-(int a, Name b) { return Name(float(a)) - b; }                                               \
    inline Name operator*(int a, Name b) { return Name(float(a)) * b; }                                               \
    inline Name operator/(int a, Name b) { return Name(float(a)) / b; }
DICE_SMALL_FLOAT(Half, halfToFloat, floatToHalf)
DICE_SMALL_FLOAT(BFloat16, bfloatToFloat, floatToBfloat)
#undef DICE_SMALL_FLOAT

inline const char *toString(ScalarType type)
{
    switch (type) {
    case ScalarType::Byte: return "Byte";
    case ScalarType::Char: return "Char";
    case ScalarType::Short: return "Short";
    case ScalarType::Int: return "Int";
    case ScalarType::Long: return "Long";
    case ScalarType::Half: return "Half";
    case ScalarType::Float: return "Float";
    case ScalarType::Double: return "Double";
    case ScalarType::Bool: return "Bool";
    case ScalarType::BFloat16: return "BFloat16";
    default: return "UNKNOWN_SCALAR";
    }
}

inline size_t elementSize(ScalarType type)
{
    switch (type) {
    case ScalarType::Byte: case ScalarType::Char: case ScalarType::Bool: return 1;
    case ScalarType::Short: case ScalarType::Half: case ScalarType::BFloat16: return 2;
    case ScalarType::Int: case ScalarType::Float: case ScalarType::ComplexHalf: return 4;
    case ScalarType::ComplexDouble: return 16;
    default: return 8;
    }
}

inline bool isFloatingType(ScalarType t)
{
    return t == ScalarType::Float || t == ScalarType::Double || t == ScalarType::Half || t == ScalarType::BFloat16;
}
inline bool isIntegralType(ScalarType t, bool withBool = false)
{
    return int(t) <= int(ScalarType::Long) || (withBool && t == ScalarType::Bool);
}

template <class T> struct CppTypeToScalarType;
#define DICE_ELEMENT(Type, Name)                                                                                      \
    template <> struct CppTypeToScalarType<Type> { static constexpr ScalarType value = ScalarType::Name; };
DICE_ELEMENT(uint8_t, Byte)
DICE_ELEMENT(int8_t, Char)
DICE_ELEMENT(int16_t, Short)
DICE_ELEMENT(int, Int)
DICE_ELEMENT(int64_t, Long)
DICE_ELEMENT(long long, Long)
DICE_ELEMENT(Half, Half)
DICE_ELEMENT(float, Float)
DICE_ELEMENT(double, Double)
DICE_ELEMENT(bool, Bool)
DICE_ELEMENT(BFloat16, BFloat16)
#undef DICE_ELEMENT

} // namespace c10

namespace caffe2 {

class TypeMeta
{
public:
    TypeMeta(c10::ScalarType type = c10::ScalarType::Undefined)
        : m_type(type)
    {
    }
    operator c10::ScalarType() const { return m_type; }
    c10::ScalarType toScalarType() const { return m_type; }
    size_t itemsize() const { return c10::elementSize(m_type); }
    const char *name() const { return c10::toString(m_type); }
    template <class T> bool Match() const { return m_type == c10::CppTypeToScalarType<T>::value; }
    template <class T> static TypeMeta Make() { return c10::CppTypeToScalarType<T>::value; }

private:
    c10::ScalarType m_type;
};

inline bool operator==(TypeMeta a, TypeMeta b) { return a.toScalarType() == b.toScalarType(); }
inline bool operator!=(TypeMeta a, TypeMeta b) { return !(a == b); }
inline bool operator==(TypeMeta a, c10::ScalarType b) { return a.toScalarType() == b; }
inline bool operator!=(TypeMeta a, c10::ScalarType b) { return a.toScalarType() != b; }
inline bool operator==(c10::ScalarType a, TypeMeta b) { return b == a; }
inline bool operator!=(c10::ScalarType a, TypeMeta b) { return b != a; }

} // namespace caffe2

namespace c10 {
inline ScalarType typeMetaToScalarType(caffe2::TypeMeta type) { return type.toScalarType(); }
} // namespace c10

namespace dice {
inline void append(Text &to, c10::ScalarType type) { to.add(c10::toString(type)); }
inline void append(Text &to, const caffe2::TypeMeta &type) { to.add(type.name()); }
} // namespace dice
