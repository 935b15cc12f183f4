// Builds call values by hand, as a worker's reply would carry them.
#pragma once

#include "core/evaluate/value.h"

#include <cstring>
#include <string>
#include <vector>

template <typename T>
dice::evaluate::CallValues tensorOf(const std::string &dtype, const std::vector<T> &elements,
                                    std::vector<std::int64_t> shape = {})
{
    if (shape.empty())
        shape = {static_cast<std::int64_t>(elements.size())};
    std::vector<std::int64_t> stride(shape.size(), 1);
    for (std::size_t axis = shape.size(); axis-- > 1;)
        stride[axis - 1] = stride[axis] * shape[axis];
    const dice::Json tree{{"kind", "tensor"}, {"dtype", dtype}, {"shape", shape},
                          {"stride", stride}, {"offset", 0},    {"nbytes", elements.size() * sizeof(T)}};
    std::vector<std::byte> arena(elements.size() * sizeof(T));
    if (!arena.empty())
        std::memcpy(arena.data(), elements.data(), arena.size());
    return *dice::evaluate::takeValues(tree, arena);
}

inline dice::evaluate::CallValues plain(const dice::Json &tree)
{
    return *dice::evaluate::takeValues(tree, {});
}
