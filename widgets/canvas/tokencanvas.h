// The kernel while it is denoised: a grid of token cells. Steps may come at any rate; they wait in a queue and
// the canvas takes them once a frame and repaints the lines that changed. Knows no process and no file.
#pragma once

#include "widgets/canvas/canvasdocument.h"
#include "widgets/canvas/canvaspainter.h"

#include <QAbstractScrollArea>
#include <QTimer>

#include <vector>

namespace dice::widgets {

class TokenPopup;

class TokenCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit TokenCanvas(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void clear();
    // Queues a step for the next frame.
    void appendStep(const CanvasStep &step);
    // Replay: the state after the first `count` steps, at once.
    void showSteps(const std::vector<CanvasStep> &steps, int count);
    void setExpectedTokens(int numTokens);
    // No step will come: takes what is queued and removes outlines and blank cells ahead.
    void finish();

    const CanvasDocument &document() const { return m_document; }
    int numPendingSteps() const { return static_cast<int>(m_pending.size()); }
    // Shown in the viewport, for tests and the popup; empty when the cell is not visible.
    QRect cellRect(int cell) const;
    int selectedCell() const { return m_selectedCell; }
    void selectCell(int cell); // -1 = none

Q_SIGNALS:
    void frameShown(); // after queued steps became visible
    void selectedCellChanged(int cell);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void showFrame();
    void repaintLines(const CanvasDocument::Change &change);
    void fitScrollBars();
    void follow();
    void stopFollowing();
    void showPopup(int cell);
    int cellAt(const QPoint &point) const;
    int selectionAfterKey(int key) const;
    QPoint origin() const; // of the document in the viewport

    CanvasDocument m_document;
    CanvasGrid m_grid;
    Theme m_theme;
    std::vector<CanvasStep> m_pending;
    QTimer m_frameTimer; // single shot: runs only while steps wait
    TokenPopup *m_popup = nullptr;
    std::size_t m_numShown = 0;
    int m_selectedCell = -1;
    bool m_isFollowing = true;
};

} // namespace dice::widgets
