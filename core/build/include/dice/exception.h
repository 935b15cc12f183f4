// Torch's checks and the small text builder behind their messages (<sstream> alone would cost 0.2 s a build).
#pragma once

#include <stdio.h>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace c10 {

// A fixed text: what carries a message must not cost the building of std::string's machinery. Hidden, because the
// worker's LibTorch exports a class of this name: the dynamic linker would give this one the other's virtual table.
class __attribute__((visibility("hidden"))) Error : public std::exception
{
public:
    explicit Error(const char *message) { snprintf(m_message, sizeof m_message, "%s", message); }
    explicit Error(const std::string &message)
        : Error(message.c_str())
    {
    }
    const char *what() const noexcept override { return m_message; }
    std::string msg() const { return m_message; }

private:
    char m_message[1500];
};

using IndexError = Error;
using ValueError = Error;
using NotImplementedError = Error;

} // namespace c10

namespace dice {

// The text of a message; longer ones are cut. A type of this namespace, so that append is found for types that are
// declared later.
struct Text
{
    char data[1400] = "";
    int length = 0;

    __attribute__((noinline)) void add(const char *text)
    {
        while (*text != 0 && length < int(sizeof data) - 1)
            data[length++] = *text++;
        data[length] = 0;
    }
    __attribute__((noinline)) void addNumber(long long value)
    {
        char digits[24];
        snprintf(digits, sizeof digits, "%lld", value);
        add(digits);
    }
    __attribute__((noinline)) void addReal(double value)
    {
        char digits[40];
        snprintf(digits, sizeof digits, "%g", value);
        add(digits);
    }
};

inline void append(Text &to, const char *value) { to.add(value != nullptr ? value : "(null)"); }
inline void append(Text &to, const std::string &value) { to.add(value.c_str()); }
inline void append(Text &to, char value)
{
    const char text[2] = {value, 0};
    to.add(text);
}
inline void append(Text &to, bool value) { to.add(value ? "1" : "0"); }
inline void append(Text &to, int value) { to.addNumber(value); }
inline void append(Text &to, unsigned value) { to.addNumber(value); }
inline void append(Text &to, long value) { to.addNumber(value); }
inline void append(Text &to, unsigned long value) { to.addNumber((long long)(value)); }
inline void append(Text &to, long long value) { to.addNumber(value); }
inline void append(Text &to, unsigned long long value) { to.addNumber((long long)(value)); }
inline void append(Text &to, double value) { to.addReal(value); }
inline void append(Text &to, float value) { to.addReal(value); }
template <class T>
inline void appendList(Text &to, const T *values, size_t count)
{
    to.add("[");
    for (size_t i = 0; i < count; ++i) {
        if (i != 0)
            to.add(", ");
        append(to, values[i]);
    }
    to.add("]");
}
template <class T>
inline void append(Text &to, const std::vector<T> &values)
{
    appendList(to, values.data(), values.size());
}

template <class... Parts>
inline Text text(const Parts &...parts)
{
    Text result;
    (append(result, parts), ...);
    return result;
}

[[noreturn]] __attribute__((noinline, cold)) inline void fail(const char *message) { throw c10::Error(message); }
[[noreturn]] inline void fail(const Text &message) { fail(message.data); }

[[noreturn]] __attribute__((noinline, cold)) inline void conditionFailed(const char *condition)
{
    fail(text("Expected ", condition, " to be true, but got false."));
}
template <class... Parts>
[[noreturn]] __attribute__((noinline, cold)) void checkFailed(const char *condition, const Parts &...parts)
{
    if constexpr (sizeof...(parts) == 0)
        conditionFailed(condition);
    else
        fail(text(parts...));
}

} // namespace dice

namespace c10 {
template <class... Parts> inline std::string str(const Parts &...parts) { return dice::text(parts...).data; }
} // namespace c10

#define DICE_CHECK(condition, ...)                                                                                    \
    do {                                                                                                              \
        if (__builtin_expect(!(condition), 0))                                                                        \
            ::dice::checkFailed(#condition, ##__VA_ARGS__);                                                           \
    } while (false)
#define TORCH_CHECK(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) (void)0
#define TORCH_CHECK_VALUE(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_ARG(condition, number, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) DICE_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) DICE_CHECK((a) != (b))
#define TORCH_CHECK_LT(a, b) DICE_CHECK((a) < (b))
#define TORCH_CHECK_LE(a, b) DICE_CHECK((a) <= (b))
#define TORCH_CHECK_GT(a, b) DICE_CHECK((a) > (b))
#define TORCH_CHECK_GE(a, b) DICE_CHECK((a) >= (b))
#define AT_ASSERT(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define AT_ASSERTM(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define AT_CHECK(condition, ...) DICE_CHECK(condition, ##__VA_ARGS__)
#define AT_ERROR(...) ::dice::fail(::dice::text(__VA_ARGS__))
#define TORCH_WARN(...) ::dice_api->warn(::dice::text(__VA_ARGS__).data)
#define TORCH_WARN_ONCE(...) TORCH_WARN(__VA_ARGS__)
