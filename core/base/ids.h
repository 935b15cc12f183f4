// Strong types for numbers that must not be mixed up.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace dice {

template <typename Tag, typename Number>
struct StrongId
{
    Number value{};

    constexpr StrongId() = default;
    constexpr explicit StrongId(Number number)
        : value(number)
    {
    }
    constexpr auto operator<=>(const StrongId &) const = default;
};

using RequestId = StrongId<struct RequestIdTag, std::uint64_t>;
using TokenId = StrongId<struct TokenIdTag, std::int32_t>;
using BlockIndex = StrongId<struct BlockIndexTag, std::int32_t>;

} // namespace dice

template <typename Tag, typename Number>
struct std::hash<dice::StrongId<Tag, Number>>
{
    std::size_t operator()(const dice::StrongId<Tag, Number> &id) const noexcept
    {
        return std::hash<Number>{}(id.value);
    }
};
