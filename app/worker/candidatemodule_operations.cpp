#include "candidatemodule_operations.h"

#include "core/build/cpudevice/device.h"

#include <ATen/ATen.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

namespace dice::worker {

namespace {

thread_local std::string lastError;

at::Tensor tensorOf(const DiceValue &value)
{
    c10::TensorImpl *impl = reinterpret_cast<c10::TensorImpl *>(value.tensor);
    if (value.kind != DICE_TENSOR || impl == nullptr)
        return at::Tensor();
    return at::Tensor(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim_copy(impl));
}

bool isNumber(const DiceValue &value)
{
    return value.kind == DICE_INT || value.kind == DICE_DOUBLE || value.kind == DICE_BOOL;
}

c10::IValue numberOf(const DiceValue &value)
{
    if (value.kind == DICE_DOUBLE)
        return value.real;
    if (value.kind == DICE_BOOL)
        return value.integer != 0;
    return value.integer;
}

// A list that the caller laid out as one array.
std::optional<c10::IValue> arrayOf(const DiceValue &value, const c10::TypePtr &element)
{
    const auto kind = element->kind();
    const bool isInteger = kind == c10::TypeKind::IntType || kind == c10::TypeKind::SymIntType;
    if (value.kind == DICE_INT_ARRAY && isInteger) {
        c10::List<int64_t> list;
        for (int64_t i = 0; i < value.count; ++i)
            list.push_back(static_cast<const int64_t *>(value.data)[i]);
        return c10::IValue(list);
    }
    if (value.kind == DICE_DOUBLE_ARRAY && kind == c10::TypeKind::FloatType) {
        c10::List<double> list;
        for (int64_t i = 0; i < value.count; ++i)
            list.push_back(static_cast<const double *>(value.data)[i]);
        return c10::IValue(list);
    }
    if (value.kind == DICE_TENSOR_ARRAY && kind == c10::TypeKind::TensorType) {
        c10::List<at::Tensor> list;
        for (int64_t i = 0; i < value.count; ++i) {
            DiceValue item{};
            item.kind = DICE_TENSOR;
            item.tensor = static_cast<const DiceTensor *>(value.data)[i];
            list.push_back(tensorOf(item));
        }
        return c10::IValue(list);
    }
    return std::nullopt;
}

std::optional<c10::IValue> listOf(const DiceValue &value, const c10::TypePtr &element)
{
    if (value.kind == DICE_INT_ARRAY || value.kind == DICE_DOUBLE_ARRAY || value.kind == DICE_TENSOR_ARRAY)
        return arrayOf(value, element);
    const bool isOne = value.kind != DICE_LIST;
    const DiceValue *items = isOne ? &value : value.items;
    const int64_t count = isOne ? 1 : value.count;
    switch (element->kind()) {
    case c10::TypeKind::TensorType: {
        c10::List<at::Tensor> list;
        for (int64_t i = 0; i < count; ++i) {
            if (items[i].kind != DICE_TENSOR)
                return std::nullopt;
            list.push_back(tensorOf(items[i]));
        }
        return isOne ? std::nullopt : std::optional<c10::IValue>(list);
    }
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType: {
        c10::List<int64_t> list;
        for (int64_t i = 0; i < count; ++i) {
            if (items[i].kind != DICE_INT)
                return std::nullopt;
            list.push_back(items[i].integer);
        }
        return c10::IValue(list);
    }
    case c10::TypeKind::FloatType: {
        c10::List<double> list;
        for (int64_t i = 0; i < count; ++i) {
            if (!isNumber(items[i]))
                return std::nullopt;
            list.push_back(numberOf(items[i]).toScalar().toDouble());
        }
        return c10::IValue(list);
    }
    default:
        return std::nullopt;
    }
}

// Nothing when the value does not fit the parameter.
std::optional<c10::IValue> convert(const DiceValue &value, const c10::TypePtr &type)
{
    if (const auto optional = type->cast<c10::OptionalType>()) {
        if (value.kind == DICE_NONE)
            return c10::IValue();
        return convert(value, optional->getElementType());
    }
    switch (type->kind()) {
    case c10::TypeKind::TensorType:
        if (value.kind != DICE_TENSOR)
            return std::nullopt;
        return c10::IValue(tensorOf(value));
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType: {
        const bool isInteger = value.kind == DICE_INT || value.kind == DICE_DTYPE || value.kind == DICE_MEMORY_FORMAT;
        return isInteger ? std::optional<c10::IValue>(value.integer) : std::nullopt;
    }
    case c10::TypeKind::FloatType:
        if (value.kind != DICE_DOUBLE && value.kind != DICE_INT)
            return std::nullopt;
        return c10::IValue(numberOf(value).toScalar().toDouble());
    case c10::TypeKind::NumberType:
        return isNumber(value) ? std::optional(numberOf(value)) : std::nullopt;
    case c10::TypeKind::BoolType:
        if (value.kind != DICE_BOOL)
            return std::nullopt;
        return c10::IValue(value.integer != 0);
    case c10::TypeKind::StringType:
        if (value.kind != DICE_STRING)
            return std::nullopt;
        return c10::IValue(std::string(value.text, size_t(value.count)));
    case c10::TypeKind::ListType:
        return listOf(value, type->castRaw<c10::ListType>()->getElementType());
    default:
        return std::nullopt;
    }
}

struct Given
{
    const DiceValue *values;
    const char *const *names;
    int32_t count;
};

// The stack for one overload, or nothing.
std::optional<torch::jit::Stack> bind(const c10::FunctionSchema &schema, const Given &given)
{
    torch::jit::Stack stack;
    std::vector<bool> isUsed(size_t(given.count), false);
    for (size_t i = 0; i < schema.arguments().size(); ++i) {
        const c10::Argument &parameter = schema.arguments()[i];
        int found = -1;
        for (int32_t j = 0; j < given.count; ++j) {
            const bool isNamed = given.names != nullptr && given.names[j] != nullptr;
            const bool isHere
                = isNamed ? parameter.name() == given.names[j] : size_t(j) == i && !parameter.kwarg_only();
            if (isHere)
                found = j;
        }
        // A named argument that is none asks for the default.
        const bool isDefault = found < 0 || (given.values[found].kind == DICE_NONE && given.names[found] != nullptr);
        if (isDefault && !parameter.default_value())
            return std::nullopt;
        if (found >= 0)
            isUsed[size_t(found)] = true;
        const std::optional<c10::IValue> value = isDefault ? std::optional<c10::IValue>(*parameter.default_value())
                                                           : convert(given.values[found], parameter.type());
        if (!value)
            return std::nullopt;
        stack.push_back(*value);
    }
    for (int32_t j = 0; j < given.count; ++j) {
        const bool isIgnorable = given.values[j].kind == DICE_NONE && given.names[j] != nullptr;
        if (!isUsed[size_t(j)] && !isIgnorable)
            return std::nullopt;
    }
    return stack;
}

bool namesDimensions(const c10::FunctionSchema &schema)
{
    return schema.overload_name().find("ame") != std::string::npos; // "names", "Dimname", ...
}

DiceValue *newItems(size_t count)
{
    return static_cast<DiceValue *>(std::calloc(count + 1, sizeof(DiceValue)));
}

DiceValue fromIValue(const c10::IValue &value)
{
    DiceValue result{};
    if (value.isTensor() && value.toTensor().defined()) {
        result.kind = DICE_TENSOR;
        result.tensor = reinterpret_cast<DiceTensor>(value.toTensor().unsafeGetTensorImpl());
        c10::raw::intrusive_ptr::incref(value.toTensor().unsafeGetTensorImpl());
    } else if (value.isInt()) {
        result.kind = DICE_INT;
        result.integer = value.toInt();
    } else if (value.isDouble()) {
        result.kind = DICE_DOUBLE;
        result.real = value.toDouble();
    } else if (value.isBool()) {
        result.kind = DICE_BOOL;
        result.integer = value.toBool();
    } else if (value.isTensorList()) {
        const auto list = value.toTensorVector();
        result.kind = DICE_LIST;
        result.count = int64_t(list.size());
        result.items = newItems(list.size());
        for (size_t i = 0; i < list.size(); ++i)
            result.items[i] = fromIValue(list[i]);
    }
    return result;
}

DiceValue resultOf(const torch::jit::Stack &stack)
{
    if (stack.size() == 1)
        return fromIValue(stack[0]);
    DiceValue result{};
    result.kind = DICE_TUPLE;
    result.count = int64_t(stack.size());
    result.items = newItems(stack.size());
    for (size_t i = 0; i < stack.size(); ++i)
        result.items[i] = fromIValue(stack[i]);
    return result;
}

} // namespace

void freeDiceValue(DiceValue &value)
{
    switch (value.kind) {
    case DICE_TENSOR:
        if (value.tensor != nullptr)
            c10::raw::intrusive_ptr::decref(reinterpret_cast<c10::TensorImpl *>(value.tensor));
        break;
    case DICE_STRING:
        std::free(value.text);
        break;
    case DICE_LIST:
    case DICE_TUPLE:
        for (int64_t i = 0; i < value.count; ++i)
            freeDiceValue(value.items[i]);
        std::free(value.items);
        break;
    default:
        break;
    }
    value = DiceValue{};
}

int32_t callOperation(const char *name, const DiceValue *arguments, const char *const *names, int32_t count,
                      DiceValue *result)
{
    try {
        if (std::strncmp(name, "aten::empty", 11) != 0)
            cpudevice::Device::instance().countLibraryCall();
        for (const auto &operation : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name))) {
            if (namesDimensions(operation->schema()))
                continue;
            auto stack = bind(operation->schema(), {arguments, names, count});
            if (!stack)
                continue;
            operation->getOperation()(*stack);
            *result = resultOf(*stack);
            return 0;
        }
        lastError
            = std::string(name) + ": no form of this operation takes these " + std::to_string(count) + " arguments";
    } catch (const c10::Error &error) {
        lastError = error.what_without_backtrace();
    } catch (const std::exception &error) {
        lastError = error.what();
    }
    return 1;
}

const char *operationError()
{
    return lastError.c_str();
}

} // namespace dice::worker
