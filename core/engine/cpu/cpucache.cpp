#include "cpucache.h"

#include <algorithm>
#include <cassert>

namespace dice::engine::cpu {

namespace {
int wholePanels(int count)
{
    return (count + panelWidth - 1) / panelWidth * panelWidth;
}
} // namespace

void CpuCache::reset(Shape shape)
{
    m_length = 0;
    shape.capacity = wholePanels(shape.capacity);
    if (shape.capacity <= m_shape.capacity)
        return;
    m_shape = shape;
    m_rowLength = wholePanels(shape.headSize);
    const auto size = static_cast<std::size_t>(offsetOf(shape.numLayers, 0));
    m_keys.assign(size, 0.0f);
    m_values.assign(size, 0.0f);
}

std::ptrdiff_t CpuCache::offsetOf(int layer, int head) const
{
    return (static_cast<std::ptrdiff_t>(layer) * m_shape.numKvHeads + head) * m_shape.capacity * m_rowLength;
}

void CpuCache::write(int layer, int head, int offset, const float *key, const float *value)
{
    const int token = m_length + offset;
    assert(token < m_shape.capacity);
    float *panel = m_keys.data() + offsetOf(layer, head)
        + static_cast<std::ptrdiff_t>(token / panelWidth) * panelWidth * m_rowLength + token % panelWidth;
    for (int i = 0; i < m_shape.headSize; ++i)
        panel[static_cast<std::ptrdiff_t>(i) * panelWidth] = key[i];
    for (int from = 0; from < m_shape.headSize; from += panelWidth) {
        float *row = m_values.data() + valueOffset(layer, head, from / panelWidth)
            + static_cast<std::ptrdiff_t>(token) * panelWidth;
        std::copy_n(value + from, std::min(panelWidth, m_shape.headSize - from), row);
    }
}

Panel<float> CpuCache::keyPanel(int layer, int head, int panel) const
{
    return {m_keys.data() + offsetOf(layer, head) + static_cast<std::ptrdiff_t>(panel) * panelWidth * m_rowLength,
            panelWidth};
}

Panel<float> CpuCache::valuePanel(int layer, int head, int part) const
{
    return {m_values.data() + valueOffset(layer, head, part), panelWidth};
}

std::ptrdiff_t CpuCache::valueOffset(int layer, int head, int part) const
{
    return offsetOf(layer, head) + static_cast<std::ptrdiff_t>(part) * m_shape.capacity * panelWidth;
}

} // namespace dice::engine::cpu
