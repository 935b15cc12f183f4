// Paints lines of a canvas document on a grid: fills by confidence, blank cells for masked tokens, boxes around
// the tokens of the newest step, the outline of the block at work, line numbers. Knows no widget.
#pragma once

#include "widgets/canvas/canvasdocument.h"
#include "widgets/theme/theme.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace dice::widgets {

struct CanvasGrid
{
    explicit CanvasGrid(const QFont &font);

    QFont font;
    QFont boldFont;
    qreal cellWidth = 8;
    int lineHeight = 18;
    qreal ascent = 12;
    int margin = 56; // line numbers
    static constexpr int top = 10;

    QRectF pieceRect(int line, const CanvasPiece &piece) const; // in document pixels
};

class CanvasPainter
{
public:
    CanvasPainter(QPainter &painter, const CanvasDocument &document, const CanvasGrid &grid, const Theme &theme);

    // The painter's origin is the document's.
    void paintLines(int first, int last);
    void paintSelection(int cell);

private:
    void paintFills(int line);
    void paintText(int line);
    void paintOutlines(int line);
    void paintNumber(int line);
    const DocumentCell *cellOf(const CanvasPiece &piece) const;

    QPainter &m_painter;
    const CanvasDocument &m_document;
    const CanvasGrid &m_grid;
    const Theme &m_theme;
};

} // namespace dice::widgets
