// torch::empty and its like, and the operations that launchers call as functions.
#pragma once

#include "dice/tensor.h"

namespace at {

namespace dicedetail {

inline std::optional<MemoryFormat> formatOf(const TensorOptions &options, std::optional<MemoryFormat> format)
{
    return format ? format : options.memory_format_opt();
}
inline Tensor withGrad(Tensor tensor, const TensorOptions &options)
{
    return options.requires_grad() ? tensor.set_requires_grad(true) : tensor;
}

} // namespace dicedetail

inline Tensor empty(IntArrayRef sizes, const TensorOptions &options = {},
                    std::optional<MemoryFormat> format = std::nullopt)
{
    return dicedetail::withGrad(dice::call("aten::empty", {sizes, {"dtype", options.dtype().toScalarType()},
                                                           {"memory_format", dicedetail::formatOf(options, format)}})
                                    .tensor(),
                                options);
}
#define DICE_FACTORY(name)                                                                                            \
    inline Tensor name(IntArrayRef sizes, const TensorOptions &options = {})                                          \
    {                                                                                                                 \
        return dicedetail::withGrad(                                                                                  \
            dice::call("aten::" #name, {sizes, {"dtype", options.dtype().toScalarType()}}).tensor(), options);        \
    }
DICE_FACTORY(zeros)
DICE_FACTORY(ones)
DICE_FACTORY(randn)
DICE_FACTORY(rand)
#undef DICE_FACTORY
#define DICE_FACTORY_LIKE(name)                                                                                       \
    inline Tensor name(const Tensor &like, const TensorOptions &options = {},                                         \
                       std::optional<MemoryFormat> format = std::nullopt)                                             \
    {                                                                                                                 \
        return dice::call("aten::" #name, {like, {"dtype", options.dtype_opt()},                                      \
                                           {"memory_format", dicedetail::formatOf(options, format)}})                 \
            .tensor();                                                                                                \
    }
DICE_FACTORY_LIKE(empty_like)
DICE_FACTORY_LIKE(zeros_like)
DICE_FACTORY_LIKE(ones_like)
DICE_FACTORY_LIKE(randn_like)
DICE_FACTORY_LIKE(rand_like)
#undef DICE_FACTORY_LIKE
inline Tensor full(IntArrayRef sizes, const Scalar &value, const TensorOptions &options = {})
{
    return dice::call("aten::full", {sizes, value, {"dtype", options.dtype_opt()}}).tensor();
}
inline Tensor full_like(const Tensor &like, const Scalar &value, const TensorOptions &options = {})
{
    return dice::call("aten::full_like", {like, value, {"dtype", options.dtype_opt()}}).tensor();
}
inline Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options = {})
{
    return dice::call("aten::empty_strided", {sizes, strides, {"dtype", options.dtype().toScalarType()}}).tensor();
}
inline Tensor arange(const Scalar &end, const TensorOptions &options = {})
{
    return dice::call("aten::arange", {end, {"dtype", options.dtype_opt()}}).tensor();
}
inline Tensor arange(const Scalar &start, const Scalar &end, const TensorOptions &options = {})
{
    return dice::call("aten::arange", {start, end, {"dtype", options.dtype_opt()}}).tensor();
}
inline Tensor linspace(const Scalar &start, const Scalar &end, int64_t steps, const TensorOptions &options = {})
{
    return dice::call("aten::linspace", {start, end, steps, {"dtype", options.dtype_opt()}}).tensor();
}
inline Tensor scalar_tensor(const Scalar &value, const TensorOptions &options = {})
{
    return full({}, value, options);
}
template <class T>
inline Tensor tensor(ArrayRef<T> values, const TensorOptions &options = {})
{
    const ScalarType type = options.dtype_opt().value_or(c10::CppTypeToScalarType<T>::value);
    Tensor result = empty({int64_t(values.size())}, c10::CppTypeToScalarType<T>::value);
    for (size_t i = 0; i < values.size(); ++i)
        result.template data_ptr<T>()[i] = values[i];
    return result.scalar_type() == type ? result : result.to(type);
}
template <class T>
inline Tensor tensor(std::initializer_list<T> values, const TensorOptions &options = {})
{
    return tensor(ArrayRef<T>(values.begin(), values.size()), options);
}
template <class T>
inline Tensor tensor(const std::vector<T> &values, const TensorOptions &options = {})
{
    return tensor(ArrayRef<T>(values), options);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
inline Tensor tensor(T value, const TensorOptions &options = {})
{
    return full({}, value, options.dtype(options.dtype_opt().value_or(c10::CppTypeToScalarType<T>::value)));
}

#define DICE_OPERATION(name)                                                                                          \
    template <class... A>                                                                                             \
    inline Tensor name(const Tensor &x, const A &...a)                                                                \
    {                                                                                                                 \
        return dice::call("aten::" #name, {x, dice::Argument(a)...}).tensor();                                        \
    }
#define DICE_REDUCTION(name)                                                                                          \
    inline Tensor name(const Tensor &x) { return dice::call("aten::" #name, {x}).tensor(); }                          \
    inline Tensor name(const Tensor &x, IntArrayRef dim, bool keepdim = false)                                        \
    {                                                                                                                 \
        return dice::call("aten::" #name, {x, dim, keepdim}).tensor();                                                \
    }
#define DICE_WITH_SIZES(name)                                                                                         \
    inline Tensor name(const Tensor &x, IntArrayRef sizes) { return dice::call("aten::" #name, {x, sizes}).tensor(); }
#define DICE_CONVOLUTION(name)                                                                                        \
    inline Tensor name(const Tensor &x, const Tensor &weight, const std::optional<Tensor> &bias = std::nullopt,       \
                       IntArrayRef stride = 1, IntArrayRef padding = int64_t(0), IntArrayRef dilation = 1,            \
                       int64_t groups = 1)                                                                            \
    {                                                                                                                 \
        return dice::call("aten::" #name, {x, weight, bias, stride, padding, dilation, groups}).tensor();             \
    }
#define DICE_TRANSPOSED_CONVOLUTION(name)                                                                             \
    inline Tensor name(const Tensor &x, const Tensor &weight, const std::optional<Tensor> &bias = std::nullopt,       \
                       IntArrayRef stride = 1, IntArrayRef padding = int64_t(0),                                      \
                       IntArrayRef outputPadding = int64_t(0), int64_t groups = 1, IntArrayRef dilation = 1)          \
    {                                                                                                                 \
        return dice::call("aten::" #name, {x, weight, bias, stride, padding, outputPadding, groups, dilation})        \
            .tensor();                                                                                                \
    }
#include "dice/tensoroperations.inc"

inline Tensor cat(const std::vector<Tensor> &tensors, int64_t dim = 0)
{
    return dice::call("aten::cat", {tensors, dim}).tensor();
}
inline Tensor stack(const std::vector<Tensor> &tensors, int64_t dim = 0)
{
    return dice::call("aten::stack", {tensors, dim}).tensor();
}
inline std::vector<Tensor> chunk(const Tensor &x, int64_t chunks, int64_t dim = 0)
{
    return dice::tensorList(dice::call("aten::chunk", {x, chunks, dim}));
}
inline std::vector<Tensor> split(const Tensor &x, int64_t size, int64_t dim = 0)
{
    return dice::tensorList(dice::call("aten::split", {x, size, dim}));
}
inline Tensor max(const Tensor &x) { return x.max(); }
inline Tensor min(const Tensor &x) { return x.min(); }
inline Tensor max(const Tensor &x, const Tensor &y) { return dice::call("aten::max", {x, y}).tensor(); }
inline Tensor min(const Tensor &x, const Tensor &y) { return dice::call("aten::min", {x, y}).tensor(); }
inline std::tuple<Tensor, Tensor> max(const Tensor &x, int64_t dim, bool keepdim = false)
{
    return dice::call("aten::max", {x, dim, keepdim}).pair();
}
inline std::tuple<Tensor, Tensor> min(const Tensor &x, int64_t dim, bool keepdim = false)
{
    return dice::call("aten::min", {x, dim, keepdim}).pair();
}
inline std::tuple<Tensor, Tensor> topk(const Tensor &x, int64_t k, int64_t dim = -1)
{
    return dice::call("aten::topk", {x, k, dim}).pair();
}

#define DICE_OPERATOR(op, name)                                                                                       \
    inline Tensor operator op(const Tensor &a, const Tensor &b) { return dice::call("aten::" #name, {a, b}).tensor(); } \
    inline Tensor operator op(const Tensor &a, const Scalar &b) { return dice::call("aten::" #name, {a, b}).tensor(); }
DICE_OPERATOR(+, add)
DICE_OPERATOR(-, sub)
DICE_OPERATOR(*, mul)
DICE_OPERATOR(/, div)
DICE_OPERATOR(==, eq)
DICE_OPERATOR(!=, ne)
DICE_OPERATOR(<, lt)
DICE_OPERATOR(>, gt)
DICE_OPERATOR(<=, le)
DICE_OPERATOR(>=, ge)
#undef DICE_OPERATOR
inline Tensor operator+(const Scalar &a, const Tensor &b) { return b + a; }
inline Tensor operator*(const Scalar &a, const Tensor &b) { return b * a; }
inline Tensor operator-(const Scalar &a, const Tensor &b) { return dice::call("aten::rsub", {b, a}).tensor(); }
inline Tensor operator/(const Scalar &a, const Tensor &b)
{
    return dice::call("aten::mul", {dice::call("aten::reciprocal", {b}).tensor(), a}).tensor();
}

} // namespace at
