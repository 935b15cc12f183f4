// Calls of library operations by name: the arguments are put into DiceValues, LibTorch's dispatcher does the rest.
#pragma once

#include "dice/arrayref.h"
#include "dice/launch.h"

#include <stdlib.h>

#include <string>
#include <tuple>
#include <vector>

namespace at {
class Tensor;
}

namespace dice {

// A result, freed when it goes.
class Result
{
public:
    Result() = default;
    Result(const Result &) = delete;
    Result &operator=(const Result &) = delete;
    Result(Result &&other) noexcept
        : m_value(other.m_value)
    {
        other.m_value.kind = DICE_NONE;
    }
    ~Result()
    {
        if (m_value.kind != DICE_NONE)
            dice_api->freeValue(&m_value);
    }
    DiceValue &value() { return m_value; }
    at::Tensor tensor();
    std::tuple<at::Tensor, at::Tensor> pair();

private:
    DiceValue m_value = {};
};

// One argument of a call. Borrows what it points to: it lives as long as the call's own expression.
class Argument
{
public:
    Argument(const at::Tensor &tensor);
    Argument(std::nullopt_t) {}
    Argument(int64_t value) { setInteger(DICE_INT, value); }
    Argument(int value) { setInteger(DICE_INT, value); }
    Argument(unsigned value) { setInteger(DICE_INT, value); }
    Argument(long long value) { setInteger(DICE_INT, value); }
    Argument(size_t value) { setInteger(DICE_INT, int64_t(value)); }
    Argument(bool value) { setInteger(DICE_BOOL, value); }
    Argument(float value) { setReal(value); }
    Argument(double value) { setReal(value); }
    Argument(c10::ScalarType type) { setInteger(DICE_DTYPE, int64_t(type)); }
    Argument(caffe2::TypeMeta type) { setInteger(DICE_DTYPE, int64_t(type.toScalarType())); }
    Argument(c10::MemoryFormat format) { setInteger(DICE_MEMORY_FORMAT, int64_t(format)); }
    Argument(c10::Device) { setInteger(DICE_DEVICE, 0); }
    Argument(c10::DeviceType) { setInteger(DICE_DEVICE, 0); }
    Argument(const c10::Scalar &scalar)
    {
        if (scalar.isFloatingPoint())
            setReal(scalar.toDouble());
        else
            setInteger(scalar.isBoolean() ? DICE_BOOL : DICE_INT, scalar.toLong());
    }
    Argument(const char *text) { setArray(DICE_STRING, text, __builtin_strlen(text)); }
    Argument(const std::string &text) { setArray(DICE_STRING, text.c_str(), text.size()); }
    Argument(c10::IntArrayRef values) { setArray(DICE_INT_ARRAY, values.data(), values.size()); }
    Argument(const std::vector<int64_t> &values) { setArray(DICE_INT_ARRAY, values.data(), values.size()); }
    Argument(c10::ArrayRef<double> values) { setArray(DICE_DOUBLE_ARRAY, values.data(), values.size()); }
    Argument(const std::vector<at::Tensor> &tensors);
    Argument(c10::ArrayRef<at::Tensor> tensors);
    template <class T> Argument(const std::optional<T> &value)
    {
        if (value)
            *this = Argument(*value);
    }
    Argument(const char *name, const Argument &value)
        : m_value(value.m_value)
        , m_name(name)
    {
    }

    const DiceValue &value() const { return m_value; }
    const char *name() const { return m_name; }

private:
    void setInteger(int32_t kind, int64_t value)
    {
        m_value.kind = kind;
        m_value.integer = value;
    }
    void setReal(double value)
    {
        m_value.kind = DICE_DOUBLE;
        m_value.real = value;
    }
    void setArray(int32_t kind, const void *data, size_t count)
    {
        m_value.kind = kind;
        m_value.count = int64_t(count);
        m_value.data = data;
    }

    DiceValue m_value = {};
    const char *m_name = nullptr;
};

// By name, with the schema's defaults for what is not given; an Argument with a name goes to that parameter.
__attribute__((noinline)) inline Result call(const char *name, std::initializer_list<Argument> arguments)
{
    DiceValue values[16];
    const char *names[16];
    int32_t count = 0;
    for (const Argument &argument : arguments) {
        if (count == 16)
            fail("an operation with more than 16 arguments");
        values[count] = argument.value();
        names[count++] = argument.name();
    }
    Result result;
    if (dice_api->call(name, values, names, count, &result.value()) != 0)
        fail(dice_api->errorText());
    return result;
}

} // namespace dice
