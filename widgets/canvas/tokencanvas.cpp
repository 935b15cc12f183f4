#include "widgets/canvas/tokencanvas.h"

#include "widgets/canvas/tokenpopup.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPaintEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace dice::widgets {

static constexpr int frameMs = 16;

TokenCanvas::TokenCanvas(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_grid(codeFont())
    , m_theme(lightTheme())
    , m_popup(new TokenPopup(viewport()))
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Kernel being written"));
    setAccessibleDescription(tr("Token cells coloured by confidence. Left and Right move from token to token."));
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_frameTimer.setSingleShot(true);
    m_frameTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_frameTimer, &QTimer::timeout, this, &TokenCanvas::showFrame);
}

void TokenCanvas::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_popup->setTheme(theme);
    viewport()->update();
}

void TokenCanvas::clear()
{
    m_frameTimer.stop();
    m_pending.clear();
    m_document.clear();
    m_numShown = 0;
    m_isFollowing = true;
    selectCell(-1);
    fitScrollBars();
    verticalScrollBar()->setValue(0);
    viewport()->update();
}

void TokenCanvas::appendStep(const CanvasStep &step)
{
    m_pending.push_back(step);
    if (!m_frameTimer.isActive())
        m_frameTimer.start(frameMs);
}

void TokenCanvas::showFrame()
{
    if (m_pending.empty())
        return;
    CanvasDocument::Change change;
    for (const CanvasStep &step : m_pending)
        change.unite(m_document.apply(step));
    m_numShown += m_pending.size();
    m_pending.clear();
    fitScrollBars();
    follow();
    repaintLines(change);
    Q_EMIT frameShown();
}

void TokenCanvas::showSteps(const std::vector<CanvasStep> &steps, int count)
{
    m_frameTimer.stop();
    m_pending.clear();
    const std::size_t target = std::min(steps.size(), static_cast<std::size_t>(std::max(0, count)));
    if (target < m_numShown || m_document.currentBlock() < 0) {
        m_document.clear();
        m_numShown = 0;
    }
    for (; m_numShown < target; ++m_numShown)
        m_document.apply(steps[m_numShown]);
    m_isFollowing = true;
    fitScrollBars();
    follow();
    viewport()->update();
}

void TokenCanvas::setExpectedTokens(int numTokens)
{
    m_document.setExpectedTokens(numTokens);
}

void TokenCanvas::finish()
{
    m_frameTimer.stop();
    showFrame();
    m_document.finish();
    fitScrollBars();
    viewport()->update();
}

QPoint TokenCanvas::origin() const
{
    return {-horizontalScrollBar()->value(), -verticalScrollBar()->value()};
}

void TokenCanvas::repaintLines(const CanvasDocument::Change &change)
{
    if (change.lastLine < change.firstLine)
        return;
    const int top = CanvasGrid::top + change.firstLine * m_grid.lineHeight + origin().y() - 2;
    const int bottom = CanvasGrid::top + (change.lastLine + 1) * m_grid.lineHeight + origin().y() + 2;
    viewport()->update(QRect(0, top, viewport()->width(), bottom - top));
}

void TokenCanvas::fitScrollBars()
{
    const int numLines = static_cast<int>(m_document.layout().lines().size());
    const int height = numLines * m_grid.lineHeight + 2 * CanvasGrid::top;
    const int width = m_grid.margin + static_cast<int>((m_document.layout().numColumns() + 2) * m_grid.cellWidth);
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(m_grid.lineHeight);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(static_cast<int>(m_grid.cellWidth) * 4);
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
}

// Keeps the block at work in the upper two thirds, and moves only when it leaves them.
void TokenCanvas::follow()
{
    if (!m_isFollowing || m_document.currentBlock() < 0)
        return;
    const int y = m_document.lineOfCurrentBlock() * m_grid.lineHeight;
    const int shown = verticalScrollBar()->value();
    const int height = viewport()->height();
    if (y < shown || y > shown + height * 2 / 3)
        verticalScrollBar()->setValue((y - height / 3) / m_grid.lineHeight * m_grid.lineHeight + CanvasGrid::top);
}

void TokenCanvas::stopFollowing()
{
    m_isFollowing = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
}

void TokenCanvas::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    const QRect dirty = event->rect();
    painter.fillRect(dirty, m_theme.code);
    painter.translate(origin());
    const auto lineAt = [this](int y) {
        return static_cast<int>(
            std::floor(static_cast<double>(y - origin().y() - CanvasGrid::top) / m_grid.lineHeight));
    };
    CanvasPainter canvas(painter, m_document, m_grid, m_theme);
    canvas.paintLines(lineAt(dirty.top()), lineAt(dirty.bottom()));
    if (m_selectedCell >= 0)
        canvas.paintSelection(m_selectedCell);
}

void TokenCanvas::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    fitScrollBars();
    follow();
}

void TokenCanvas::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        m_grid = CanvasGrid(codeFont());
        fitScrollBars();
    }
}

QRect TokenCanvas::cellRect(int cell) const
{
    const int line = m_document.layout().lineOf(cell);
    if (line < 0 || line >= static_cast<int>(m_document.layout().lines().size()))
        return {};
    for (int i = line; i < static_cast<int>(m_document.layout().lines().size()); ++i) {
        for (const CanvasPiece &piece : m_document.layout().lines()[static_cast<std::size_t>(i)].pieces) {
            if (piece.cell == cell)
                return m_grid.pieceRect(i, piece).translated(origin()).toAlignedRect();
            if (piece.cell > cell)
                return {};
        }
    }
    return {};
}

int TokenCanvas::cellAt(const QPoint &point) const
{
    const QPoint place = point - origin();
    const int line = static_cast<int>(std::floor(static_cast<double>(place.y() - CanvasGrid::top) / m_grid.lineHeight));
    const int column = static_cast<int>(std::floor((place.x() - m_grid.margin) / m_grid.cellWidth));
    const int piece = m_document.layout().pieceAt(line, column);
    return piece < 0
        ? -1
        : m_document.layout().lines()[static_cast<std::size_t>(line)].pieces[static_cast<std::size_t>(piece)].cell;
}

void TokenCanvas::showPopup(int cell)
{
    if (cell < 0 || cell >= m_document.numTokens()) {
        m_popup->hide();
        return;
    }
    m_popup->showCell(m_document.cells()[static_cast<std::size_t>(cell)], cellRect(cell));
}

void TokenCanvas::selectCell(int cell)
{
    cell = cell < m_document.numTokens() ? cell : -1;
    if (cell == m_selectedCell && (cell < 0) == m_popup->isHidden())
        return;
    m_selectedCell = cell;
    if (cell >= 0) {
        const QRect rect = cellRect(cell);
        if (rect.top() < 0 || rect.bottom() > viewport()->height())
            verticalScrollBar()->setValue(rect.top() - origin().y() - viewport()->height() / 3);
    }
    showPopup(cell);
    viewport()->update();
    Q_EMIT selectedCellChanged(cell);
}

void TokenCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const int cell = cellAt(event->pos());
    showPopup(cell >= 0 ? cell : m_selectedCell);
}

void TokenCanvas::mousePressEvent(QMouseEvent *event)
{
    selectCell(cellAt(event->pos()));
}

void TokenCanvas::wheelEvent(QWheelEvent *event)
{
    m_popup->hide();
    QAbstractScrollArea::wheelEvent(event);
    stopFollowing();
}

int TokenCanvas::selectionAfterKey(int key) const
{
    const int last = m_document.numTokens() - 1;
    if (m_selectedCell < 0)
        return key == Qt::Key_Left ? last : std::min(0, last);
    return std::clamp(m_selectedCell + (key == Qt::Key_Left ? -1 : 1), std::min(0, last), last);
}

void TokenCanvas::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_isFollowing = false;
        selectCell(selectionAfterKey(event->key()));
        return;
    case Qt::Key_Home:
        verticalScrollBar()->setValue(0);
        stopFollowing();
        return;
    case Qt::Key_End:
        m_isFollowing = true;
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        stopFollowing();
    }
}

bool TokenCanvas::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        showPopup(m_selectedCell);
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace dice::widgets
