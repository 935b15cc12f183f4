#include "widgets/canvas/canvasdocument.h"

#include <algorithm>

namespace dice::widgets {

// An answer longer than this is not one: a broken step must not fill the memory.
static constexpr int maxPosition = 1 << 17;

void CanvasDocument::Change::unite(const Change &other)
{
    if (other.lastLine < other.firstLine)
        return;
    if (lastLine < firstLine) {
        *this = other;
        return;
    }
    firstLine = std::min(firstLine, other.firstLine);
    lastLine = std::max(lastLine, other.lastLine);
}

void CanvasDocument::clear()
{
    m_cells.clear();
    m_layoutCells.clear();
    m_recent.clear();
    m_layout.clear();
    m_currentBlock = -1;
    m_firstOfBlock = 0;
}

void CanvasDocument::put(const CanvasCell &cell, const CanvasStep &step)
{
    const auto index = static_cast<std::size_t>(cell.position);
    if (index >= m_cells.size()) {
        m_cells.resize(index + 1);
        m_layoutCells.resize(index + 1);
    }
    DocumentCell &known = m_cells[index];
    // A kept cell has its story from the step that committed it.
    const bool isFirstSight = known.cell.text.empty() && known.cell.alternatives.empty();
    if (cell.state != CellState::Kept || isFirstSight) {
        known.cell = cell;
        known.block = step.block.value;
        known.step = step.step;
    }
    known.cell.state = cell.state;
    known.isRecent = cell.state == CellState::Committed;
    if (known.isRecent)
        m_recent.push_back(cell.position);
    m_layoutCells[index] = {known.cell.text, cell.state == CellState::Masked, known.isRecent};
}

CanvasDocument::Change CanvasDocument::apply(const CanvasStep &step)
{
    int firstCell = static_cast<int>(m_cells.size());
    for (const int cell : m_recent) {
        m_cells[static_cast<std::size_t>(cell)].isRecent = false;
        m_layoutCells[static_cast<std::size_t>(cell)].isBold = false;
        firstCell = std::min(firstCell, cell);
    }
    m_recent.clear();
    if (m_currentBlock >= 0) // its outline goes
        firstCell = std::min(firstCell, m_firstOfBlock);
    m_currentBlock = step.block.value;
    m_firstOfBlock = maxPosition;
    for (const CanvasCell &cell : step.cells) {
        if (cell.position < 0 || cell.position >= maxPosition)
            continue;
        put(cell, step);
        m_firstOfBlock = std::min(m_firstOfBlock, cell.position);
    }
    return layOut(std::min(firstCell, m_firstOfBlock));
}

CanvasDocument::Change CanvasDocument::finish()
{
    for (DocumentCell &cell : m_cells)
        cell.isRecent = false;
    for (LayoutCell &cell : m_layoutCells)
        cell.isBold = false;
    m_recent.clear();
    m_currentBlock = -1;
    m_numExpected = 0;
    return layOut(0);
}

CanvasDocument::Change CanvasDocument::layOut(int firstCell)
{
    firstCell = std::min(firstCell, static_cast<int>(m_cells.size()));
    const int firstLine = m_layout.lineOf(std::max(0, firstCell - 1));
    const int numLinesBefore = static_cast<int>(m_layout.lines().size());
    const int numToCome = std::max(0, m_numExpected - static_cast<int>(m_cells.size()));
    m_layout.layOut(m_layoutCells, firstCell, numToCome);
    const int numLines = static_cast<int>(m_layout.lines().size());
    return {firstLine, std::max(numLinesBefore, numLines)};
}

int CanvasDocument::lineOfCurrentBlock() const
{
    return m_currentBlock < 0 ? 0 : m_layout.lineOf(m_firstOfBlock);
}

} // namespace dice::widgets
