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

// One argument of a call; owns the items of a list.
class Argument
{
public:
    Argument(const at::Tensor &tensor);
    Argument(std::nullopt_t)
        : m_value{}
    {
    }
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
    Argument(const char *text)
        : m_text(text)
    {
        setText();
    }
    Argument(std::string text)
        : m_text(std::move(text))
    {
        setText();
    }
    Argument(c10::IntArrayRef values)
    {
        for (int64_t value : values)
            addItem().integer = value;
        finishList(DICE_INT);
    }
    Argument(const std::vector<int64_t> &values)
        : Argument(c10::IntArrayRef(values))
    {
    }
    Argument(c10::ArrayRef<double> values)
    {
        for (double value : values)
            addItem().real = value;
        finishList(DICE_DOUBLE);
    }
    Argument(const std::vector<at::Tensor> &tensors);
    Argument(c10::ArrayRef<at::Tensor> tensors);
    template <class T>
    Argument(const std::optional<T> &value)
        : Argument(value ? Argument(*value) : Argument(std::nullopt))
    {
    }
    Argument(const char *name, const Argument &value)
        : Argument(value)
    {
        m_name = name;
    }
    Argument(const Argument &other)
        : m_value(other.m_value)
        , m_name(other.m_name)
        , m_items(other.m_items)
        , m_text(other.m_text)
    {
        if (m_value.kind == DICE_LIST)
            m_value.items = m_items.data();
        else if (m_value.kind == DICE_STRING)
            setText();
    }
    Argument &operator=(const Argument &) = delete;

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
    void setText()
    {
        m_value.kind = DICE_STRING;
        m_value.count = int64_t(m_text.size());
        m_value.text = m_text.data();
    }
    DiceValue &addItem()
    {
        m_items.push_back({});
        return m_items.back();
    }
    void finishList(int32_t kindOfItems)
    {
        for (DiceValue &item : m_items)
            item.kind = kindOfItems;
        m_value.kind = DICE_LIST;
        m_value.count = int64_t(m_items.size());
        m_value.items = m_items.data();
    }

    DiceValue m_value = {};
    const char *m_name = nullptr;
    std::vector<DiceValue> m_items;
    std::string m_text;
};

// By name, with the schema's defaults for what is not given; an Argument with a name goes to that parameter.
__attribute__((noinline)) inline Result call(const char *name, std::initializer_list<Argument> arguments)
{
    std::vector<DiceValue> values;
    std::vector<const char *> names;
    for (const Argument &argument : arguments) {
        values.push_back(argument.value());
        names.push_back(argument.name());
    }
    Result result;
    if (dice_api->call(name, values.data(), names.data(), int32_t(values.size()), &result.value()) != 0)
        fail(dice_api->errorText());
    return result;
}

} // namespace dice
