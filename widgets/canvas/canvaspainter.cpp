#include "widgets/canvas/canvaspainter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace dice::widgets {

CanvasGrid::CanvasGrid(const QFont &baseFont)
    : font(baseFont)
    , boldFont(baseFont)
{
    boldFont.setBold(true);
    const QFontMetricsF metrics(font);
    cellWidth = metrics.horizontalAdvance(QLatin1Char('0'));
    lineHeight = static_cast<int>(std::ceil(metrics.height())) + 4;
    ascent = metrics.ascent() + 2;
    margin = static_cast<int>(std::ceil(cellWidth * 6));
}

QRectF CanvasGrid::pieceRect(int line, const CanvasPiece &piece) const
{
    return QRectF(margin + piece.column * cellWidth, top + line * lineHeight + 1, piece.length * cellWidth,
                  lineHeight - 2);
}

CanvasPainter::CanvasPainter(QPainter &painter, const CanvasDocument &document, const CanvasGrid &grid,
                             const Theme &theme)
    : m_painter(painter)
    , m_document(document)
    , m_grid(grid)
    , m_theme(theme)
{
}

const DocumentCell *CanvasPainter::cellOf(const CanvasPiece &piece) const
{
    return piece.cell < 0 ? nullptr : &m_document.cells()[static_cast<std::size_t>(piece.cell)];
}

void CanvasPainter::paintLines(int first, int last)
{
    const int numLines = static_cast<int>(m_document.layout().lines().size());
    first = std::max(0, first);
    last = std::min(last, numLines - 1);
    for (int line = first; line <= last; ++line) {
        paintNumber(line);
        paintFills(line);
    }
    // Boxes lie over fills and under text; antialiasing is costly, so it is on for them alone.
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (int line = first; line <= last; ++line)
        paintOutlines(line);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    for (int line = first; line <= last; ++line)
        paintText(line);
}

void CanvasPainter::paintNumber(int line)
{
    m_painter.setFont(m_grid.font);
    m_painter.setPen(m_theme.secondary);
    const QRectF area(0, CanvasGrid::top + line * m_grid.lineHeight, m_grid.margin - 1.6 * m_grid.cellWidth,
                      m_grid.lineHeight);
    m_painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, QString::number(line + 1));
}

void CanvasPainter::paintFills(int line)
{
    for (const CanvasPiece &piece : m_document.layout().lines()[static_cast<std::size_t>(line)].pieces) {
        const QRectF rect = m_grid.pieceRect(line, piece);
        const DocumentCell *cell = cellOf(piece);
        if (piece.isBlank) {
            m_painter.fillRect(rect.adjusted(0.5, 1, -0.5, -1), m_theme.masked);
            continue;
        }
        const bool isSpace = piece.text.find_first_not_of(' ') == std::string::npos;
        if (!cell || isSpace)
            continue;
        const QColor fill = confidenceColor(m_theme, cell->cell.confidence);
        if (fill.isValid())
            m_painter.fillRect(rect, fill);
        if (cell->cell.confidence < unsureBelow) {
            QPen dots(m_theme.care, 1.2);
            dots.setDashPattern({1.0, 2.0});
            m_painter.setPen(dots);
            m_painter.drawLine(QPointF(rect.left(), rect.bottom()), QPointF(rect.right(), rect.bottom()));
        }
    }
}

void CanvasPainter::paintOutlines(int line)
{
    const auto &pieces = m_document.layout().lines()[static_cast<std::size_t>(line)].pieces;
    QRectF block;
    for (const CanvasPiece &piece : pieces) {
        const DocumentCell *cell = cellOf(piece);
        if (cell && cell->block == m_document.currentBlock())
            block = block.united(m_grid.pieceRect(line, piece));
    }
    if (!block.isEmpty()) {
        m_painter.setPen(QPen(m_theme.accent, 1, Qt::DashLine));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(block.adjusted(-2.5, -0.5, 2.5, 0.5), 4, 4);
    }
    QColor fill = m_theme.accent;
    fill.setAlphaF(0.16F);
    for (const CanvasPiece &piece : pieces) {
        const DocumentCell *cell = cellOf(piece);
        if (!cell || !cell->isRecent || piece.text.find_first_not_of(' ') == std::string::npos)
            continue;
        m_painter.setPen(QPen(m_theme.accent, 1.4));
        m_painter.setBrush(fill);
        m_painter.drawRoundedRect(m_grid.pieceRect(line, piece).adjusted(-0.5, 0, 0.5, 0), 3, 3);
    }
}

void CanvasPainter::paintText(int line)
{
    const qreal baseline = CanvasGrid::top + line * m_grid.lineHeight + m_grid.ascent;
    for (const CanvasSegment &segment : m_document.layout().lines()[static_cast<std::size_t>(line)].segments) {
        m_painter.setFont(segment.isBold ? m_grid.boldFont : m_grid.font);
        m_painter.setPen(codeColor(m_theme, segment.style));
        m_painter.drawText(QPointF(m_grid.margin + segment.column * m_grid.cellWidth, baseline), segment.text);
    }
}

void CanvasPainter::paintSelection(int cell)
{
    const CanvasLayout &layout = m_document.layout();
    const int firstLine = layout.lineOf(cell);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(m_theme.text, 1.4));
    m_painter.setBrush(Qt::NoBrush);
    for (int line = firstLine; line < static_cast<int>(layout.lines().size()); ++line) {
        const auto &pieces = layout.lines()[static_cast<std::size_t>(line)].pieces;
        bool isPast = false;
        for (const CanvasPiece &piece : pieces) {
            if (piece.cell == cell)
                m_painter.drawRoundedRect(m_grid.pieceRect(line, piece), 3, 3);
            isPast = isPast || piece.cell > cell || piece.cell < 0;
        }
        if (isPast)
            return;
    }
}

} // namespace dice::widgets
