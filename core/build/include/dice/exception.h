// Torch's checks and the small text builder behind their messages (<sstream> alone would cost 0.2 s a build).
#pragma once

#include <stdio.h>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace c10 {

class Error : public std::exception
{
public:
    explicit Error(std::string message)
        : m_message(std::move(message))
    {
    }
    const char *what() const noexcept override { return m_message.c_str(); }
    const std::string &msg() const { return m_message; }

private:
    std::string m_message;
};

using IndexError = Error;
using ValueError = Error;
using NotImplementedError = Error;

} // namespace c10

namespace dice {

// A type of this namespace, so that append is found for types that are declared later.
struct Text : std::string
{
};

inline void append(Text &to, const char *value) { to += value != nullptr ? value : "(null)"; }
inline void append(Text &to, const std::string &value) { to += value; }
inline void append(Text &to, char value) { to += value; }
inline void append(Text &to, bool value) { to += value ? '1' : '0'; }
inline void append(Text &to, int value) { to += std::to_string(value); }
inline void append(Text &to, unsigned value) { to += std::to_string(value); }
inline void append(Text &to, long value) { to += std::to_string(value); }
inline void append(Text &to, unsigned long value) { to += std::to_string(value); }
inline void append(Text &to, long long value) { to += std::to_string(value); }
inline void append(Text &to, unsigned long long value) { to += std::to_string(value); }
inline void append(Text &to, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%g", value);
    to += text;
}
inline void append(Text &to, float value) { append(to, double(value)); }
template <class T>
inline void append(Text &to, const std::vector<T> &values)
{
    to += '[';
    for (size_t i = 0; i < values.size(); ++i) {
        if (i != 0)
            to += ", ";
        append(to, values[i]);
    }
    to += ']';
}

template <class... Parts>
inline std::string text(const Parts &...parts)
{
    Text result;
    (append(result, parts), ...);
    return result;
}

[[noreturn]] __attribute__((noinline)) inline void fail(std::string message) { throw c10::Error(std::move(message)); }

template <class... Parts>
[[noreturn]] __attribute__((noinline)) void checkFailed(const char *condition, const Parts &...parts)
{
    if constexpr (sizeof...(parts) == 0)
        fail(std::string("Expected ") + condition + " to be true, but got false.");
    else
        fail(text(parts...));
}

} // namespace dice

namespace c10 {
template <class... Parts> inline std::string str(const Parts &...parts) { return dice::text(parts...); }
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
#define TORCH_WARN(...) ::dice_api->warn(::dice::text(__VA_ARGS__).c_str())
#define TORCH_WARN_ONCE(...) TORCH_WARN(__VA_ARGS__)
