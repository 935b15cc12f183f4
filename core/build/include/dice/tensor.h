// torch::Tensor: a counted reference to one of LibTorch's tensors, with the members that kernels' launchers use.
#pragma once

#include "dice/accessor.h"
#include "dice/operations.h"

namespace dice {

[[noreturn]] __attribute__((noinline, cold)) inline void badDimension(int64_t dimension, int64_t count)
{
    fail(text("Dimension out of range (expected to be in range of [", -count, ", ", count - 1, "], but got ", dimension,
              ")"));
}
[[noreturn]] __attribute__((noinline, cold)) inline void badElementType(c10::ScalarType expected, c10::ScalarType found)
{
    fail(text("expected scalar type ", expected, " but found ", found));
}

} // namespace dice

namespace at {

using c10::ArrayRef;
using c10::IntArrayRef;
using c10::MemoryFormat;
using c10::Scalar;
using c10::ScalarType;
using c10::TensorOptions;
using c10::Device;
using TensorList = ArrayRef<Tensor>;

// What is left of a tensor's storage on this side.
class StorageView
{
public:
    explicit StorageView(void *data)
        : m_data(data)
    {
    }
    void *data() const { return m_data; }
    void *data_ptr() const { return m_data; }

private:
    void *m_data;
};

#define DICE_METHOD(name)                                                                                             \
    template <class... A>                                                                                             \
    Tensor name(const A &...a) const                                                                                  \
    {                                                                                                                 \
        return dice::call("aten::" #name, {*this, dice::Argument(a)...}).tensor();                                    \
    }
#define DICE_METHOD_IN_PLACE(name)                                                                                    \
    template <class... A>                                                                                             \
    const Tensor &name(const A &...a) const                                                                           \
    {                                                                                                                 \
        dice::call("aten::" #name, {*this, dice::Argument(a)...});                                                    \
        return *this;                                                                                                 \
    }
#define DICE_METHOD_SIZES(name)                                                                                       \
    Tensor name(IntArrayRef sizes) const { return dice::call("aten::" #name, {*this, sizes}).tensor(); }
// Reductions: all, one dimension, several.
#define DICE_METHOD_DIMS(name)                                                                                        \
    Tensor name(std::optional<ScalarType> type = std::nullopt) const                                                  \
    {                                                                                                                 \
        return dice::call("aten::" #name, {*this, {"dtype", type}}).tensor();                                         \
    }                                                                                                                 \
    Tensor name(IntArrayRef dim, bool keepdim = false) const                                                          \
    {                                                                                                                 \
        return dice::call("aten::" #name, {*this, dim, keepdim}).tensor();                                            \
    }

class Tensor
{
public:
    Tensor() = default;
    // Takes over the reference.
    explicit Tensor(DiceTensor handle)
        : m_handle(handle)
    {
    }
    Tensor(const Tensor &other)
        : m_handle(other.m_handle)
    {
        if (m_handle != nullptr)
            dice_api->retain(m_handle);
    }
    Tensor(Tensor &&other) noexcept
        : m_handle(other.m_handle)
    {
        other.m_handle = nullptr;
    }
    Tensor &operator=(Tensor other) noexcept
    {
        DiceTensor mine = m_handle;
        m_handle = other.m_handle;
        other.m_handle = mine;
        return *this;
    }
    ~Tensor()
    {
        if (m_handle != nullptr)
            dice_api->releaseTensor(m_handle);
    }

    DiceTensor handle() const { return m_handle; }
    bool defined() const { return m_handle != nullptr; }
    void reset() { *this = Tensor(); }
    bool is_same(const Tensor &other) const { return m_handle == other.m_handle; }
    size_t use_count() const { return size_t(dice_api->useCount(checked())); }

    int64_t dim() const { return dice_api->dim(checked()); }
    int64_t ndimension() const { return dim(); }
    IntArrayRef sizes() const { return {dice_api->sizes(checked()), size_t(dim())}; }
    IntArrayRef strides() const { return {dice_api->strides(checked()), size_t(dim())}; }
    int64_t size(int64_t dimension) const { return sizes()[wrapped(dimension)]; }
    int64_t stride(int64_t dimension) const { return strides()[wrapped(dimension)]; }
    int64_t numel() const { return dice_api->numel(checked()); }
    ScalarType scalar_type() const { return ScalarType(dice_api->dtype(checked())); }
    caffe2::TypeMeta dtype() const { return scalar_type(); }
    int64_t element_size() const { return int64_t(c10::elementSize(scalar_type())); }
    size_t itemsize() const { return c10::elementSize(scalar_type()); }
    size_t nbytes() const { return size_t(numel()) * itemsize(); }
    int64_t storage_offset() const { return dice_api->storageOffset(checked()); }
    Device device() const { return Device(c10::DeviceType::CUDA, 0); }
    int64_t get_device() const { return 0; }
    bool is_cuda() const { return true; }
    bool is_cpu() const { return false; }
    bool is_sparse() const { return false; }
    bool is_quantized() const { return false; }
    bool is_floating_point() const { return c10::isFloatingType(scalar_type()); }
    bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const
    {
        const bool isLast = format == MemoryFormat::ChannelsLast || format == MemoryFormat::ChannelsLast3d;
        return dice_api->flag(checked(), isLast ? DICE_IS_CHANNELS_LAST : DICE_IS_CONTIGUOUS) != 0;
    }
    bool requires_grad() const { return dice_api->flag(checked(), DICE_REQUIRES_GRAD) != 0; }
    TensorOptions options() const { return TensorOptions(scalar_type()); }
    StorageView storage() const { return StorageView(dice_api->data(checked())); }
    const Tensor &type() const { return *this; }
    std::string toString() const { return std::string("CUDA") + c10::toString(scalar_type()) + "Type"; }

    void *data_ptr() const { return dice_api->data(checked()); }
    const void *const_data_ptr() const { return data_ptr(); }
    void *mutable_data_ptr() const { return data_ptr(); }
    template <class T> T *data_ptr() const { return static_cast<T *>(dataOf<std::remove_const_t<T>>()); }
    template <class T> T *data() const { return data_ptr<T>(); }
    template <class T> const T *const_data_ptr() const { return data_ptr<T>(); }
    template <class T> T *mutable_data_ptr() const { return data_ptr<T>(); }

    Scalar item() const;
    template <class T> T item() const { return item().template to<T>(); }

    template <class T, size_t N> TensorAccessor<T, N> accessor() const
    {
        return TensorAccessor<T, N>(accessed<T, N>(), sizes().data(), strides().data());
    }
    template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
    GenericPackedTensorAccessor<T, N, P, I> generic_packed_accessor() const
    {
        return {accessed<T, N>(), sizes().data(), strides().data()};
    }
    template <class T, size_t N, template <class> class P = DefaultPtrTraits>
    PackedTensorAccessor32<T, N, P> packed_accessor32() const
    {
        return {accessed<T, N>(), sizes().data(), strides().data()};
    }
    template <class T, size_t N, template <class> class P = DefaultPtrTraits>
    PackedTensorAccessor64<T, N, P> packed_accessor64() const
    {
        return {accessed<T, N>(), sizes().data(), strides().data()};
    }
    template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
    GenericPackedTensorAccessor<T, N, P, I> packed_accessor() const
    {
        return {accessed<T, N>(), sizes().data(), strides().data()};
    }

    // Moving between devices keeps the memory: there is one device.
    Tensor cuda() const { return *this; }
    Tensor cpu() const { return *this; }
    Tensor to(Device) const { return *this; }
    Tensor to(c10::DeviceType) const { return *this; }
    Tensor to(ScalarType type) const { return dice::call("aten::to", {*this, {"dtype", type}}).tensor(); }
    Tensor to(caffe2::TypeMeta type) const { return to(type.toScalarType()); }
    template <class D> Tensor to(D, ScalarType type) const { return to(type); }
    Tensor to(const TensorOptions &options) const { return options.dtype_opt() ? to(*options.dtype_opt()) : *this; }
    Tensor toType(ScalarType type) const { return to(type); }
    Tensor contiguous(MemoryFormat format = MemoryFormat::Contiguous) const
    {
        return is_contiguous(format) ? *this
                                     : dice::call("aten::contiguous", {*this, {"memory_format", format}}).tensor();
    }
    Tensor set_requires_grad(bool isOn) const
    {
        dice::call("aten::requires_grad_", {*this, isOn});
        return *this;
    }

#include "dice/tensormethods.inc"

private:
    DiceTensor checked() const
    {
        if (m_handle == nullptr)
            dice::fail("the tensor is undefined");
        return m_handle;
    }
    size_t wrapped(int64_t dimension) const
    {
        const int64_t count = dim();
        if (dimension < -count || dimension >= count)
            dice::badDimension(dimension, count);
        return size_t(dimension < 0 ? dimension + count : dimension);
    }
    template <class T> void *dataOf() const
    {
        if constexpr (!std::is_void_v<T>) {
            const ScalarType expected = c10::CppTypeToScalarType<T>::value;
            if (scalar_type() != expected)
                dice::badElementType(expected, scalar_type());
        }
        return dice_api->data(checked());
    }
    template <class T, size_t N> T *accessed() const
    {
        if (dim() != int64_t(N))
            dice::fail(dice::text("TensorAccessor expected ", N, " dims but tensor has ", dim()));
        return data_ptr<T>();
    }

    DiceTensor m_handle = nullptr;
};

inline Scalar Tensor::item() const
{
    dice::Result result = dice::call("aten::item", {*this});
    const DiceValue &value = result.value();
    if (value.kind == DICE_DOUBLE)
        return Scalar(value.real);
    return value.kind == DICE_BOOL ? Scalar(value.integer != 0) : Scalar(value.integer);
}

} // namespace at

static_assert(sizeof(at::Tensor) == sizeof(DiceTensor));

namespace dice {

inline Argument::Argument(const at::Tensor &tensor)
{
    m_value.kind = tensor.defined() ? DICE_TENSOR : DICE_NONE;
    m_value.tensor = tensor.handle();
}
// A tensor is one handle, so an array of tensors is an array of handles.
inline Argument::Argument(const std::vector<at::Tensor> &tensors)
{
    setArray(DICE_TENSOR_ARRAY, tensors.data(), tensors.size());
}
inline Argument::Argument(c10::ArrayRef<at::Tensor> tensors)
{
    setArray(DICE_TENSOR_ARRAY, tensors.data(), tensors.size());
}

// Takes the tensor out of a value that owns it.
inline at::Tensor takeTensor(DiceValue &value)
{
    if (value.kind != DICE_TENSOR)
        return at::Tensor();
    value.kind = DICE_NONE;
    return at::Tensor(value.tensor);
}
inline at::Tensor Result::tensor() { return takeTensor(m_value); }
inline std::tuple<at::Tensor, at::Tensor> Result::pair()
{
    if ((m_value.kind != DICE_TUPLE && m_value.kind != DICE_LIST) || m_value.count < 2)
        fail("the operation returned fewer than two tensors");
    return {takeTensor(m_value.items[0]), takeTensor(m_value.items[1])};
}
inline std::vector<at::Tensor> tensorList(Result result)
{
    std::vector<at::Tensor> tensors;
    for (int64_t i = 0; i < result.value().count; ++i)
        tensors.push_back(takeTensor(result.value().items[i]));
    return tensors;
}

} // namespace dice
