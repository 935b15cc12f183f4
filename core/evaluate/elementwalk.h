// Visits the elements of a strided tensor in row-major order, as addresses of their bytes.
#pragma once

#include "core/evaluate/value.h"

#include <cstddef>
#include <span>
#include <vector>

namespace dice::evaluate {

class ElementWalk
{
public:
    ElementWalk(const TensorLayout &layout, std::span<const std::byte> bytes)
        : m_layout(layout)
        , m_at(bytes.data() + layout.offset)
        , m_position(layout.shape.size(), 0)
    {
    }

    // The next element; call numElements() times at most.
    const std::byte *next()
    {
        const std::byte *element = m_at;
        const auto itemBytes = static_cast<std::int64_t>(m_layout.format->sizeBytes);
        for (std::size_t axis = m_layout.shape.size(); axis-- > 0;) {
            m_at += m_layout.stride[axis] * itemBytes;
            if (++m_position[axis] < m_layout.shape[axis])
                break;
            m_at -= m_layout.stride[axis] * itemBytes * m_position[axis];
            m_position[axis] = 0;
        }
        return element;
    }

private:
    const TensorLayout &m_layout;
    const std::byte *m_at;
    std::vector<std::int64_t> m_position;
};

} // namespace dice::evaluate
