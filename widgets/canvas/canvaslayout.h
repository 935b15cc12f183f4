// Where the cells of a half-written kernel lie on a grid of lines and columns, and how their text is coloured.
// Laid out again only from the block that changed. Knows no widget.
#pragma once

#include "widgets/theme/codehighlight.h"

#include <QString>

#include <string>
#include <vector>

namespace dice::widgets {

struct CanvasPiece
{
    int cell = 0; // index of the cell, or -1 for a block that is still to come
    int column = 0;
    int length = 1; // columns
    bool isBlank = false; // masked: drawn as an empty cell
    std::string text; // UTF-8, empty when blank
};

struct CanvasSegment
{
    int column = 0;
    QString text;
    CodeStyle style = CodeStyle::Text;
    bool isBold = false;
};

struct CanvasLine
{
    std::vector<CanvasPiece> pieces;
    std::vector<CanvasSegment> segments;
    CodeContext contextBefore = CodeContext::Python;
    int numColumns = 0;
};

// What the layout needs of one cell.
struct LayoutCell
{
    std::string text; // while masked: the best candidate's, for its length alone
    bool isMasked = true;
    bool isBold = false;
};

class CanvasLayout
{
public:
    CanvasLayout();

    void clear();
    // Lays out cells[firstCell...] behind what lies there, then `numExpected` blank cells for blocks to come.
    void layOut(const std::vector<LayoutCell> &cells, int firstCell, int numExpected);

    const std::vector<CanvasLine> &lines() const { return m_lines; }
    int numColumns() const { return m_numColumns; }
    // Of the first piece of the cell; the last line for a cell that is not laid out yet.
    int lineOf(int cell) const;
    // Index into pieces of that line, -1 when nothing lies there.
    int pieceAt(int line, int column) const;

private:
    struct Place
    {
        int line = 0;
        int column = 0;
    };

    void cutBack(int firstCell);
    void placeText(int cell, const std::string &text);
    void placeBlank(int cell, const std::string &text);
    void placeExpected(int firstPosition, int count);
    void colour(int line, const std::vector<LayoutCell> &cells);
    CanvasPiece &addPiece(int cell, int length);

    std::vector<CanvasLine> m_lines;
    std::vector<Place> m_starts; // by cell
    Place m_end; // behind the last cell
    int m_numColumns = 0;
};

} // namespace dice::widgets
