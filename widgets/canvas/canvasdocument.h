// The cells of a half-written kernel: denoising steps go in, laid-out lines come out. Says which lines a step
// changed, so that a canvas repaints no more. Knows no widget.
#pragma once

#include "core/data/canvasstep.h"
#include "widgets/canvas/canvaslayout.h"

#include <vector>

namespace dice::widgets {

struct DocumentCell
{
    CanvasCell cell;
    int block = 0;
    int step = 0; // in which it was committed, or last seen masked
    bool isRecent = false; // committed in the newest step
};

class CanvasDocument
{
public:
    // Lines first to last changed; empty when last < first.
    struct Change
    {
        int firstLine = 0;
        int lastLine = -1;

        void unite(const Change &other);
    };

    void clear();
    Change apply(const CanvasStep &step);
    // How many tokens the whole answer is thought to have; 0 = no idea. Takes effect with the next step.
    void setExpectedTokens(int numTokens) { m_numExpected = numTokens; }
    // The writing ended: nothing is to come and no cell is new any more.
    Change finish();

    const CanvasLayout &layout() const { return m_layout; }
    const std::vector<DocumentCell> &cells() const { return m_cells; }
    int currentBlock() const { return m_currentBlock; } // -1 before the first step and after finish()
    int numTokens() const { return static_cast<int>(m_cells.size()); }
    int lineOfCurrentBlock() const;

private:
    void put(const CanvasCell &cell, const CanvasStep &step);
    Change layOut(int firstCell);

    std::vector<DocumentCell> m_cells;
    std::vector<LayoutCell> m_layoutCells;
    std::vector<int> m_recent; // cells with isRecent
    CanvasLayout m_layout;
    int m_currentBlock = -1;
    int m_firstOfBlock = 0;
    int m_numExpected = 0;
};

} // namespace dice::widgets
