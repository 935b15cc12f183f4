#include "packedlinear.h"

#include "core/engine/cpu/kernels.h"
#include "core/engine/cpu/parallel.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>

namespace dice::engine::cpu {

namespace {

template <typename Weight, typename Convert>
HugeVector<Weight> pack(std::span<const float> weights, int numOut, int numIn, Convert convert)
{
    const int numPanels = (numOut + panelWidth - 1) / panelWidth;
    HugeVector<Weight> packed(static_cast<std::size_t>(numPanels) * panelWidth * static_cast<std::size_t>(numIn));
    for (int out = 0; out < numOut; ++out) {
        const float *row = weights.data() + static_cast<std::ptrdiff_t>(out) * numIn;
        Weight *panel
            = packed.data() + static_cast<std::ptrdiff_t>(out / panelWidth) * panelWidth * numIn + out % panelWidth;
        for (int k = 0; k < numIn; ++k)
            panel[static_cast<std::ptrdiff_t>(k) * panelWidth] = convert(row[k]);
    }
    return packed;
}

bool isBFloat16(float value)
{
    return (std::bit_cast<std::uint32_t>(value) & 0xffffu) == 0;
}

} // namespace

PackedLinear::PackedLinear(std::span<const float> weights, int numOut, int numIn)
    : m_numOut(numOut)
    , m_numIn(numIn)
{
    assert(weights.size() == static_cast<std::size_t>(numOut) * static_cast<std::size_t>(numIn));
    if (std::all_of(weights.begin(), weights.end(), isBFloat16))
        m_bfloats = pack<std::uint16_t>(weights, numOut, numIn, [](float value) {
            return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
        });
    else
        m_floats = pack<float>(weights, numOut, numIn, [](float value) { return value; });
}

int PackedLinear::numPanels() const
{
    return (m_numOut + panelWidth - 1) / panelWidth;
}

void PackedLinear::apply(const float *x, int numRows, float *y) const
{
    const double workOfPanel = 2.0 * panelWidth * m_numIn * numRows;
    parallelFor(numPanels(), workOfPanel, [&](int from, int to) { applyPanels(x, numRows, y, from, to); });
}

// As many rows as the product holds in registers go through all panels before the next ones: they stay in the
// nearest cache.
void PackedLinear::applyPanels(const float *x, int numRows, float *y, int fromPanel, int toPanel) const
{
    const int rowsAtOnce = bestRowCount();
    for (int row = 0; row < numRows; row += rowsAtOnce) {
        const int count = std::min(rowsAtOnce, numRows - row);
        for (int panel = fromPanel; panel < toPanel; ++panel)
            applyPanel(x + static_cast<std::ptrdiff_t>(row) * m_numIn, count,
                       y + static_cast<std::ptrdiff_t>(row) * m_numOut, panel);
    }
}

void PackedLinear::applyPanel(const float *x, int numRows, float *y, int panel) const
{
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(panel) * panelWidth * m_numIn;
    const int column = panel * panelWidth;
    const RowsIn in{x, m_numIn, numRows, m_numIn};
    const RowsOut out{y + column, m_numOut, std::min(panelWidth, m_numOut - column)};
    if (m_floats.empty())
        multiply(in, Panel<std::uint16_t>{m_bfloats.data() + start, panelWidth}, out);
    else
        multiply(in, Panel<float>{m_floats.data() + start, panelWidth}, out);
}

} // namespace dice::engine::cpu
