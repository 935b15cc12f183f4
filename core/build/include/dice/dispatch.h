// AT_DISPATCH_*: the switch over element types, with scalar_t as the type's name inside.
#pragma once

#include "dice/scalartypes.h"

#define AT_PRIVATE_CASE_TYPE_USING_HINT(type, hint, ...)                                                              \
    case type: {                                                                                                      \
        using hint [[maybe_unused]] = typename ::dice::ElementOf<type>::Type;                                         \
        return __VA_ARGS__();                                                                                         \
    }
#define AT_DISPATCH_CASE(type, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(type, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                                           \
    [&] {                                                                                                             \
        const ::c10::ScalarType dice_type = ::dice::scalarTypeOf(TYPE);                                               \
        switch (dice_type) {                                                                                          \
            __VA_ARGS__                                                                                               \
        default: ::dice::fail(::dice::text("\"", NAME, "\" not implemented for '", dice_type, "'"));                  \
        }                                                                                                             \
    }()

namespace dice {

template <c10::ScalarType> struct ElementOf;
template <> struct ElementOf<c10::ScalarType::Byte> { using Type = uint8_t; };
template <> struct ElementOf<c10::ScalarType::Char> { using Type = int8_t; };
template <> struct ElementOf<c10::ScalarType::Short> { using Type = int16_t; };
template <> struct ElementOf<c10::ScalarType::Int> { using Type = int; };
template <> struct ElementOf<c10::ScalarType::Long> { using Type = int64_t; };
template <> struct ElementOf<c10::ScalarType::Half> { using Type = c10::Half; };
template <> struct ElementOf<c10::ScalarType::Float> { using Type = float; };
template <> struct ElementOf<c10::ScalarType::Double> { using Type = double; };
template <> struct ElementOf<c10::ScalarType::Bool> { using Type = bool; };
template <> struct ElementOf<c10::ScalarType::BFloat16> { using Type = c10::BFloat16; };

inline c10::ScalarType scalarTypeOf(c10::ScalarType type) { return type; }
inline c10::ScalarType scalarTypeOf(caffe2::TypeMeta type) { return type.toScalarType(); }
template <class T> inline c10::ScalarType scalarTypeOf(const T &tensor) { return tensor.scalar_type(); }

} // namespace dice

#define DICE_FLOATING_CASES(...)                                                                                      \
    AT_DISPATCH_CASE(::c10::ScalarType::Double, __VA_ARGS__) AT_DISPATCH_CASE(::c10::ScalarType::Float, __VA_ARGS__)
#define DICE_INTEGRAL_CASES(...)                                                                                      \
    AT_DISPATCH_CASE(::c10::ScalarType::Byte, __VA_ARGS__) AT_DISPATCH_CASE(::c10::ScalarType::Char, __VA_ARGS__)     \
    AT_DISPATCH_CASE(::c10::ScalarType::Int, __VA_ARGS__) AT_DISPATCH_CASE(::c10::ScalarType::Long, __VA_ARGS__)      \
    AT_DISPATCH_CASE(::c10::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) DICE_FLOATING_CASES(__VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...) DICE_INTEGRAL_CASES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...) DICE_INTEGRAL_CASES(__VA_ARGS__) DICE_FLOATING_CASES(__VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, DICE_FLOATING_CASES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                                                          \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                    \
                       DICE_FLOATING_CASES(__VA_ARGS__) AT_DISPATCH_CASE(::c10::ScalarType::Half, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(T1, TYPE, NAME, ...)                                                           \
    AT_DISPATCH_SWITCH(TYPE, NAME, DICE_FLOATING_CASES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(T1, T2, TYPE, NAME, ...)                                                      \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                    \
                       DICE_FLOATING_CASES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__)                             \
                           AT_DISPATCH_CASE(T2, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...)                                                           \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                    \
                       AT_DISPATCH_CASE(::c10::ScalarType::Half, __VA_ARGS__)                                         \
                           AT_DISPATCH_CASE(::c10::ScalarType::BFloat16, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, DICE_INTEGRAL_CASES(__VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                                                      \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                    \
                       AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Int, index_t, __VA_ARGS__)                  \
                           AT_PRIVATE_CASE_TYPE_USING_HINT(::c10::ScalarType::Long, index_t, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                                                        \
    AT_DISPATCH_SWITCH(TYPE, NAME, DICE_INTEGRAL_CASES(__VA_ARGS__) DICE_FLOATING_CASES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(T1, TYPE, NAME, ...)                                                                \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                    \
                       DICE_INTEGRAL_CASES(__VA_ARGS__) DICE_FLOATING_CASES(__VA_ARGS__)                              \
                           AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(T1, T2, TYPE, NAME, ...)                                                           \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                    \
                       DICE_INTEGRAL_CASES(__VA_ARGS__) DICE_FLOATING_CASES(__VA_ARGS__)                              \
                           AT_DISPATCH_CASE(T1, __VA_ARGS__) AT_DISPATCH_CASE(T2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...)                                                       \
    AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                    \
                       DICE_INTEGRAL_CASES(__VA_ARGS__) DICE_FLOATING_CASES(__VA_ARGS__)                              \
                           AT_DISPATCH_CASE(T1, __VA_ARGS__) AT_DISPATCH_CASE(T2, __VA_ARGS__)                        \
                               AT_DISPATCH_CASE(T3, __VA_ARGS__))
