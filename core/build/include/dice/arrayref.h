// Torch's light types: ArrayRef, Device, Scalar, TensorOptions and the constants named k....
#pragma once

#include "dice/scalartypes.h"

#include <array>
#include <initializer_list>
#include <optional>
#include <vector>

namespace c10 {

template <class T>
class ArrayRef
{
public:
    using value_type = T;
    constexpr ArrayRef() = default;
    constexpr ArrayRef(const T *data, size_t size)
        : m_data(data)
        , m_size(size)
    {
    }
    constexpr ArrayRef(const T *begin, const T *end)
        : m_data(begin)
        , m_size(size_t(end - begin))
    {
    }
    constexpr ArrayRef(const T &one)
        : m_data(&one)
        , m_size(1)
    {
    }
    constexpr ArrayRef(const std::initializer_list<T> &list)
        : m_data(list.begin())
        , m_size(list.size())
    {
    }
    ArrayRef(const std::vector<T> &values)
        : m_data(values.data())
        , m_size(values.size())
    {
    }
    template <size_t N>
    constexpr ArrayRef(const std::array<T, N> &values)
        : m_data(values.data())
        , m_size(N)
    {
    }
    template <size_t N>
    constexpr ArrayRef(const T (&values)[N])
        : m_data(values)
        , m_size(N)
    {
    }

    constexpr const T *begin() const { return m_data; }
    constexpr const T *end() const { return m_data + m_size; }
    constexpr const T *data() const { return m_data; }
    constexpr size_t size() const { return m_size; }
    constexpr bool empty() const { return m_size == 0; }
    constexpr const T &operator[](size_t i) const { return m_data[i]; }
    const T &at(size_t i) const
    {
        if (i >= m_size)
            dice::fail(dice::text("ArrayRef: index ", i, " is out of range for ", m_size));
        return m_data[i];
    }
    constexpr const T &front() const { return m_data[0]; }
    constexpr const T &back() const { return m_data[m_size - 1]; }
    std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
    ArrayRef slice(size_t from, size_t count) const { return {m_data + from, count}; }
    ArrayRef slice(size_t from) const { return {m_data + from, m_size - from}; }
    bool equals(ArrayRef other) const
    {
        if (m_size != other.m_size)
            return false;
        for (size_t i = 0; i < m_size; ++i)
            if (!(m_data[i] == other.m_data[i]))
                return false;
        return true;
    }

private:
    const T *m_data = nullptr;
    size_t m_size = 0;
};

template <class T> bool operator==(ArrayRef<T> a, ArrayRef<T> b) { return a.equals(b); }
template <class T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b) { return !a.equals(b); }
template <class T> bool operator==(ArrayRef<T> a, const std::vector<T> &b) { return a.equals(b); }
template <class T> bool operator!=(ArrayRef<T> a, const std::vector<T> &b) { return !a.equals(b); }
template <class T> bool operator==(const std::vector<T> &a, ArrayRef<T> b) { return b.equals(a); }

using IntArrayRef = ArrayRef<int64_t>;

using std::nullopt;
using std::nullopt_t;
using std::optional;
using std::make_optional;

enum class DeviceType : int8_t { CPU = 0, CUDA = 1, Meta = 14 };
using DeviceIndex = int8_t;
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;

// Whatever a candidate asks for, it gets memory of the one device there is; see the worker's tensor host.
class Device
{
public:
    Device(DeviceType type = DeviceType::CUDA, DeviceIndex index = -1)
        : m_type(type)
        , m_index(index)
    {
    }
    Device(const std::string &name)
        : m_type(name.compare(0, 3, "cpu") == 0 ? DeviceType::CPU : DeviceType::CUDA)
    {
    }
    DeviceType type() const { return m_type; }
    DeviceIndex index() const { return m_index; }
    bool is_cuda() const { return m_type == DeviceType::CUDA; }
    bool is_cpu() const { return m_type == DeviceType::CPU; }
    bool has_index() const { return m_index >= 0; }
    std::string str() const { return is_cpu() ? "cpu" : "cuda:0"; }
    bool operator==(const Device &other) const { return m_type == other.m_type; }
    bool operator!=(const Device &other) const { return !(*this == other); }

private:
    DeviceType m_type;
    DeviceIndex m_index = -1;
};

enum class Layout : int8_t { Strided = 0 };
constexpr Layout kStrided = Layout::Strided;
enum class MemoryFormat : int8_t { Contiguous = 0, Preserve = 1, ChannelsLast = 2, ChannelsLast3d = 3 };

class Scalar
{
public:
    Scalar()
        : Scalar(int64_t(0))
    {
    }
    Scalar(double value)
        : m_real(value)
        , m_kind(Kind::Real)
    {
    }
    Scalar(float value)
        : Scalar(double(value))
    {
    }
    Scalar(Half value)
        : Scalar(float(value))
    {
    }
    Scalar(BFloat16 value)
        : Scalar(float(value))
    {
    }
    Scalar(int64_t value)
        : m_integer(value)
        , m_kind(Kind::Integer)
    {
    }
    Scalar(int value)
        : Scalar(int64_t(value))
    {
    }
    Scalar(long long value)
        : Scalar(int64_t(value))
    {
    }
    Scalar(unsigned value)
        : Scalar(int64_t(value))
    {
    }
    Scalar(size_t value)
        : Scalar(int64_t(value))
    {
    }
    Scalar(bool value)
        : m_integer(value)
        , m_kind(Kind::Bool)
    {
    }
    template <class T> T to() const { return m_kind == Kind::Real ? T(m_real) : T(m_integer); }
    double toDouble() const { return to<double>(); }
    float toFloat() const { return to<float>(); }
    int toInt() const { return to<int>(); }
    int64_t toLong() const { return to<int64_t>(); }
    bool toBool() const { return m_kind == Kind::Real ? m_real != 0 : m_integer != 0; }
    bool isFloatingPoint() const { return m_kind == Kind::Real; }
    bool isIntegral(bool withBool = false) const { return m_kind == Kind::Integer || (withBool && isBoolean()); }
    bool isBoolean() const { return m_kind == Kind::Bool; }

private:
    enum class Kind : int8_t { Integer, Real, Bool };
    union {
        int64_t m_integer;
        double m_real;
    };
    Kind m_kind;
};

class TensorOptions
{
public:
    TensorOptions() = default;
    TensorOptions(ScalarType type)
        : m_dtype(type)
    {
    }
    TensorOptions(caffe2::TypeMeta type)
        : m_dtype(type.toScalarType())
    {
    }
    TensorOptions(Device) {}
    TensorOptions(DeviceType) {}
    TensorOptions(Layout) {}
    TensorOptions(MemoryFormat format)
        : m_format(format)
    {
    }
    TensorOptions dtype(std::optional<ScalarType> type) const
    {
        TensorOptions result = *this;
        if (type)
            result.m_dtype = type;
        return result;
    }
    TensorOptions dtype(ScalarType type) const { return dtype(std::optional<ScalarType>(type)); }
    TensorOptions dtype(caffe2::TypeMeta type) const { return dtype(type.toScalarType()); }
    template <class T> TensorOptions dtype() const { return dtype(CppTypeToScalarType<T>::value); }
    template <class... T> TensorOptions device(const T &...) const { return *this; }
    TensorOptions layout(Layout) const { return *this; }
    TensorOptions pinned_memory(bool) const { return *this; }
    TensorOptions memory_format(MemoryFormat format) const
    {
        TensorOptions result = *this;
        result.m_format = format;
        return result;
    }
    TensorOptions requires_grad(bool isOn) const
    {
        TensorOptions result = *this;
        result.m_requiresGrad = isOn;
        return result;
    }
    caffe2::TypeMeta dtype() const { return m_dtype.value_or(ScalarType::Float); }
    std::optional<ScalarType> dtype_opt() const { return m_dtype; }
    Device device() const { return Device(DeviceType::CUDA, 0); }
    bool requires_grad() const { return m_requiresGrad; }
    std::optional<MemoryFormat> memory_format_opt() const { return m_format; }

private:
    std::optional<ScalarType> m_dtype;
    std::optional<MemoryFormat> m_format;
    bool m_requiresGrad = false;
};

inline TensorOptions dtype(ScalarType type) { return TensorOptions(type); }
template <class T> TensorOptions dtype() { return TensorOptions(CppTypeToScalarType<T>::value); }
template <class T> TensorOptions device(T) { return TensorOptions(); }
inline TensorOptions requires_grad(bool isOn = true) { return TensorOptions().requires_grad(isOn); }

constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = ScalarType::Byte, kChar = ScalarType::Char,
                     kInt8 = ScalarType::Char, kShort = ScalarType::Short, kInt16 = ScalarType::Short,
                     kInt = ScalarType::Int, kInt32 = ScalarType::Int, kLong = ScalarType::Long,
                     kInt64 = ScalarType::Long, kHalf = ScalarType::Half, kFloat16 = ScalarType::Half,
                     kFloat = ScalarType::Float, kFloat32 = ScalarType::Float, kDouble = ScalarType::Double,
                     kFloat64 = ScalarType::Double, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16;

} // namespace c10

namespace dice {
template <class T>
inline void append(Text &to, const c10::ArrayRef<T> &values)
{
    appendList(to, values.data(), values.size());
}
inline void append(Text &to, const c10::Device &device) { to.add(device.is_cpu() ? "cpu" : "cuda:0"); }
inline void append(Text &to, c10::DeviceType type) { to.add(type == c10::DeviceType::CPU ? "cpu" : "cuda"); }
} // namespace dice
