// How C++ parameter and result types cross the border: which name the worker knows them by, read and written.
#pragma once

#include "dice/tensor.h"

#include <stdlib.h>
#include <string.h>

#include <tuple>
#include <type_traits>
#include <vector>

namespace dice {

struct WrongArgument
{
    const char *what;
};

// Names of parameter types, put together when compiling.
template <size_t N> struct TypeName
{
    char text[N];
};
template <size_t N, size_t M>
constexpr TypeName<N + M - 1> joined(const TypeName<N> &a, const char (&b)[M])
{
    TypeName<N + M - 1> result{};
    for (size_t i = 0; i < N - 1; ++i)
        result.text[i] = a.text[i];
    for (size_t i = 0; i < M; ++i)
        result.text[N - 1 + i] = b[i];
    return result;
}
template <size_t N>
constexpr TypeName<N> named(const char (&text)[N])
{
    return joined(TypeName<1>{}, text);
}

inline DiceValue makeValue(int32_t kind)
{
    DiceValue value = {};
    value.kind = kind;
    return value;
}

// How a parameter type is read from a value, and a result written to one. name: what the worker converts to.
template <class T, class = void> struct Caster;

template <class T>
struct Caster<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>>
{
    static constexpr auto name = named("int");
    static T read(const DiceValue &value)
    {
        const T result = T(value.integer);
        if (int64_t(result) != value.integer)
            throw WrongArgument{"an integer is out of range"};
        return result;
    }
    static DiceValue write(T number)
    {
        DiceValue value = makeValue(DICE_INT);
        value.integer = int64_t(number);
        return value;
    }
};
template <class T>
struct Caster<T, std::enable_if_t<std::is_floating_point_v<T>>>
{
    static constexpr auto name = named("float");
    static T read(const DiceValue &value) { return T(value.real); }
    static DiceValue write(T number)
    {
        DiceValue value = makeValue(DICE_DOUBLE);
        value.real = double(number);
        return value;
    }
};
template <> struct Caster<bool>
{
    static constexpr auto name = named("bool");
    static bool read(const DiceValue &value) { return value.integer != 0; }
    static DiceValue write(bool is)
    {
        DiceValue value = makeValue(DICE_BOOL);
        value.integer = is;
        return value;
    }
};
template <> struct Caster<std::string>
{
    static constexpr auto name = named("str");
    static std::string read(const DiceValue &value) { return std::string(value.text, size_t(value.count)); }
    static DiceValue write(const std::string &text)
    {
        DiceValue value = makeValue(DICE_STRING);
        value.count = int64_t(text.size());
        value.text = static_cast<char *>(malloc(text.size() + 1));
        memcpy(value.text, text.c_str(), text.size() + 1);
        return value;
    }
};
template <> struct Caster<at::Tensor>
{
    static constexpr auto name = named("tensor");
    static at::Tensor read(const DiceValue &value)
    {
        if (value.kind == DICE_NONE)
            return at::Tensor();
        dice_api->retain(value.tensor);
        return at::Tensor(value.tensor);
    }
    static DiceValue write(const at::Tensor &tensor)
    {
        DiceValue value = makeValue(tensor.defined() ? DICE_TENSOR : DICE_NONE);
        if (tensor.defined()) {
            dice_api->retain(tensor.handle());
            value.tensor = tensor.handle();
        }
        return value;
    }
};
template <> struct Caster<c10::ScalarType>
{
    static constexpr auto name = named("dtype");
    static c10::ScalarType read(const DiceValue &value) { return c10::ScalarType(value.integer); }
    static DiceValue write(c10::ScalarType type)
    {
        DiceValue value = makeValue(DICE_DTYPE);
        value.integer = int64_t(type);
        return value;
    }
};
template <> struct Caster<c10::Scalar>
{
    static constexpr auto name = named("number");
    static c10::Scalar read(const DiceValue &value)
    {
        return value.kind == DICE_DOUBLE ? c10::Scalar(value.real) : c10::Scalar(value.integer);
    }
};
template <> struct Caster<c10::Device>
{
    static constexpr auto name = named("device");
    static c10::Device read(const DiceValue &) { return c10::Device(c10::DeviceType::CUDA, 0); }
};
template <class T> struct Caster<std::optional<T>>
{
    static constexpr auto name = joined(Caster<T>::name, "?");
    static std::optional<T> read(const DiceValue &value)
    {
        if (value.kind == DICE_NONE)
            return std::nullopt;
        return Caster<T>::read(value);
    }
    static DiceValue write(const std::optional<T> &one) { return one ? Caster<T>::write(*one) : makeValue(DICE_NONE); }
};

inline DiceValue makeItems(int32_t kind, size_t count)
{
    DiceValue value = makeValue(kind);
    value.count = int64_t(count);
    value.items = static_cast<DiceValue *>(calloc(count + 1, sizeof(DiceValue)));
    return value;
}

template <class T> struct Caster<std::vector<T>>
{
    static constexpr auto name = joined(Caster<T>::name, "[]");
    static std::vector<T> read(const DiceValue &value)
    {
        std::vector<T> result;
        result.reserve(size_t(value.count));
        for (int64_t i = 0; i < value.count; ++i)
            result.push_back(Caster<T>::read(value.items[i]));
        return result;
    }
    static DiceValue write(const std::vector<T> &values)
    {
        DiceValue value = makeItems(DICE_LIST, values.size());
        for (size_t i = 0; i < values.size(); ++i)
            value.items[i] = Caster<T>::write(values[i]);
        return value;
    }
};
// The values live in a vector for the time of the call.
template <class T> struct Caster<c10::ArrayRef<T>>
{
    static constexpr auto name = joined(Caster<T>::name, "[]");
    static std::vector<T> read(const DiceValue &value) { return Caster<std::vector<T>>::read(value); }
    static DiceValue write(c10::ArrayRef<T> values) { return Caster<std::vector<T>>::write(values.vec()); }
};
template <class T, size_t N> struct Caster<std::array<T, N>>
{
    static DiceValue write(const std::array<T, N> &values)
    {
        return Caster<std::vector<T>>::write(std::vector<T>(values.begin(), values.end()));
    }
};
template <class... T> struct Caster<std::tuple<T...>>
{
    static DiceValue write(const std::tuple<T...> &values)
    {
        DiceValue value = makeItems(DICE_TUPLE, sizeof...(T));
        DiceValue *item = value.items;
        std::apply([&](const T &...one) { ((*item++ = Caster<T>::write(one)), ...); }, values);
        return value;
    }
};
template <class A, class B> struct Caster<std::pair<A, B>>
{
    static DiceValue write(const std::pair<A, B> &values)
    {
        return Caster<std::tuple<A, B>>::write(std::tuple<A, B>(values.first, values.second));
    }
};

} // namespace dice
