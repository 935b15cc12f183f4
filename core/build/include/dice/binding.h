// The part of pybind11 that extensions use: PYBIND11_MODULE, m.def with documents, names and defaults. Calls cross the
// border as DiceValues; the worker makes Python objects of them.
#pragma once

#include "dice/casters.h"

namespace dice {

// Of the last call that failed. Not of a thread: static thread storage is scarce for loaded objects.
inline __attribute__((visibility("hidden"))) Text errorText;

template <class A>
struct Holder
{
    decltype(Caster<std::decay_t<A>>::read(DiceValue())) value;

    A get() { return static_cast<A>(value); }
};

__attribute__((noinline)) inline int32_t failed(int32_t kind, const char *what)
{
    errorText = text(what);
    return kind;
}

template <class Function> struct Signature;
template <class R, class... A>
struct Signature<R(A...)>
{
    static constexpr const char *types[sizeof...(A) + 1] = {Caster<std::decay_t<A>>::name.text..., nullptr};

    template <size_t... I>
    static R apply(R (*function)(A...), const DiceValue *values, std::index_sequence<I...>)
    {
        (void)values;
        return function(Holder<A>{Caster<std::decay_t<A>>::read(values[I])}.get()...);
    }

    static int32_t invoke(const DiceFunction *bound, const DiceValue *values, DiceValue *result)
    {
        try {
            auto function = reinterpret_cast<R (*)(A...)>(bound->target);
            *result = makeValue(DICE_NONE);
            if constexpr (std::is_void_v<R>)
                apply(function, values, std::index_sequence_for<A...>());
            else
                *result = Caster<std::decay_t<R>>::write(apply(function, values, std::index_sequence_for<A...>()));
            return 0;
        } catch (const WrongArgument &error) {
            return failed(2, error.what);
        } catch (const std::exception &error) {
            return failed(1, error.what());
        } catch (...) {
            return failed(1, "an exception of an unknown type");
        }
    }
};
template <class T> struct LambdaSignature;
template <class L, class R, class... A> struct LambdaSignature<R (L::*)(A...) const> { using Type = R(A...); };
template <class L, class R, class... A> struct LambdaSignature<R (L::*)(A...)> { using Type = R(A...); };

struct ModuleTable
{
    static constexpr int maxFunctions = 256;
    DiceFunction functions[maxFunctions];
    DiceModule module;
};
inline __attribute__((visibility("hidden"))) ModuleTable moduleTable = {};

// A bound function while its extras are read.
struct Binding
{
    DiceFunction *function;
    const char **names;
    const DiceValue **defaults;
    int named = 0; // py::arg given so far
};

__attribute__((noinline)) inline Binding addFunction(const DiceFunction &function)
{
    if (moduleTable.module.functionCount == ModuleTable::maxFunctions)
        fail("more than 256 functions are bound");
    DiceFunction *added = &moduleTable.functions[moduleTable.module.functionCount++];
    *added = function;
    const size_t entries = size_t(function.argumentCount) + 1;
    Binding binding{added, static_cast<const char **>(calloc(entries, sizeof(char *))),
                    static_cast<const DiceValue **>(calloc(entries, sizeof(DiceValue *)))};
    added->argumentNames = binding.names;
    added->defaults = binding.defaults;
    return binding;
}
inline void addName(Binding &binding, const char *name)
{
    if (binding.named >= binding.function->argumentCount)
        fail("more py::arg than parameters");
    binding.names[binding.named++] = name;
}
inline void addDefault(Binding &binding, DiceValue value)
{
    const int at = binding.named - 1;
    DiceValue *kept = static_cast<DiceValue *>(malloc(sizeof(DiceValue)));
    if (value.kind == DICE_INT && __builtin_strncmp(binding.function->argumentTypes[at], "float", 5) == 0) {
        value.kind = DICE_DOUBLE;
        value.real = double(value.integer);
    }
    *kept = value;
    binding.defaults[at] = kept;
}

} // namespace dice

namespace pybind11 {

template <class T>
struct arg_with_default
{
    const char *name;
    T value;
};

struct arg
{
    const char *name;
    explicit arg(const char *nameOf)
        : name(nameOf)
    {
    }
    arg &noconvert() { return *this; }
    arg &none(bool = true) { return *this; }
    template <class T> arg_with_default<std::decay_t<T>> operator=(T &&value) const { return {name, value}; }
};
namespace literals {
inline arg operator""_a(const char *name, size_t) { return arg(name); }
} // namespace literals

struct none {};
struct gil_scoped_release {};
struct gil_scoped_acquire {};
template <class... T> struct call_guard {};
enum class return_value_policy { automatic, automatic_reference, take_ownership, copy, move, reference, reference_internal };

template <class... A>
struct overload_cast_t
{
    template <class R> constexpr R (*operator()(R (*function)(A...)) const)(A...) { return function; }
};
template <class... A> inline constexpr overload_cast_t<A...> overload_cast{};

struct IgnoredAttribute
{
    template <class T> IgnoredAttribute &operator=(const T &) { return *this; }
};

class module_
{
public:
    IgnoredAttribute doc() { return {}; }
    IgnoredAttribute attr(const char *) { return {}; }

    template <class R, class... A, class... Extra>
    module_ &def(const char *name, R (*function)(A...), const Extra &...extra)
    {
        using Signature = dice::Signature<R(A...)>;
        dice::Binding binding = dice::addFunction({name, "", int32_t(sizeof...(A)), nullptr, Signature::types, nullptr,
                                                   &Signature::invoke, reinterpret_cast<void *>(function)});
        (apply(binding, extra), ...);
        return *this;
    }
    // A lambda that captures nothing.
    template <class L, class... Extra>
    auto def(const char *name, L lambda, const Extra &...extra)
        -> decltype(static_cast<typename dice::LambdaSignature<decltype(&L::operator())>::Type *>(lambda), *this)
    {
        return def(name, static_cast<typename dice::LambdaSignature<decltype(&L::operator())>::Type *>(lambda), extra...);
    }

private:
    static void apply(dice::Binding &binding, const char *doc) { binding.function->doc = doc; }
    static void apply(dice::Binding &binding, const arg &argument) { dice::addName(binding, argument.name); }
    template <class T>
    static void apply(dice::Binding &binding, const arg_with_default<T> &argument)
    {
        dice::addName(binding, argument.name);
        if constexpr (std::is_same_v<T, std::nullopt_t> || std::is_same_v<T, none>)
            dice::addDefault(binding, dice::makeValue(DICE_NONE));
        else if constexpr (std::is_same_v<T, const char *>)
            dice::addDefault(binding, dice::Caster<std::string>::write(argument.value));
        else
            dice::addDefault(binding, dice::Caster<T>::write(argument.value));
    }
    template <class T> static void apply(dice::Binding &, const T &) {}
};
using module = module_;

} // namespace pybind11
namespace py = pybind11;

namespace dice {

__attribute__((noinline)) inline const DiceModule *makeModule(void (*fill)(pybind11::module_ &))
{
    DiceModule &module = moduleTable.module;
    if (module.version != 0)
        return &module;
    pybind11::module_ building;
    try {
        fill(building);
    } catch (const std::exception &error) {
        failed(1, error.what());
        return nullptr;
    }
    module = {DICE_HOST_API_VERSION, module.functionCount, moduleTable.functions, "",
              [] { return static_cast<const char *>(errorText.data); }};
    return &module;
}

} // namespace dice

#define PYBIND11_MODULE(name, variable, ...)                                                                          \
    static void dice_fill_module(::pybind11::module_ &);                                                              \
    extern "C" __attribute__((visibility("default"))) const DiceModule *dice_module()                                 \
    {                                                                                                                 \
        return ::dice::makeModule(&dice_fill_module);                                                                 \
    }                                                                                                                 \
    static void dice_fill_module(::pybind11::module_ &variable)
