// Bars of a generation: a column a block, a brick a denoising step, coloured by the confidence of what the step
// committed. A marker shows the step on the canvas; dragging or keys move it. Knows no process.
#pragma once

#include "core/data/canvasstep.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

namespace dice::widgets {

class DenoiseTimeline : public QWidget
{
    Q_OBJECT

public:
    explicit DenoiseTimeline(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void clear();
    void appendStep(const CanvasStep &step);
    void setExpectedBlocks(int numBlocks); // drawn as empty columns; 0 = no idea

    int numSteps() const { return static_cast<int>(m_bricks.size()); }
    int numBlocks() const { return m_numBlocks; }
    double meanConfidence(int step) const { return m_bricks[static_cast<std::size_t>(step)].confidence; }
    // The number of steps shown, 0 to numSteps().
    int position() const { return m_position; }
    void setPosition(int position); // silent: the owner knows

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void positionPicked(int position); // by the user

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Brick
    {
        int block = 0;
        int step = 0;
        double confidence = 0.0;
    };

    void pick(int position);
    int positionAt(qreal x) const;
    double columnWidth() const;
    QColor brickColor(double confidence) const;
    void paintMarker(QPainter &painter) const;

    Theme m_theme;
    std::vector<Brick> m_bricks;
    int m_numBlocks = 0;
    int m_numExpected = 0;
    int m_maxStep = 0;
    int m_position = 0;
};

} // namespace dice::widgets
