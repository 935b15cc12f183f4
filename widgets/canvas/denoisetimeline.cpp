#include "widgets/canvas/denoisetimeline.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace dice::widgets {

static constexpr double maxColumnWidth = 10.0;
static constexpr double maxBrickHeight = 11.0;
static constexpr int side = 8;
static constexpr int knobSpace = 12;

DenoiseTimeline::DenoiseTimeline(QWidget *parent)
    : QWidget(parent)
    , m_theme(lightTheme())
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Denoising steps"));
    setAccessibleDescription(tr("Left and Right move by one step, Home and End to the first and the last."));
}

void DenoiseTimeline::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

void DenoiseTimeline::clear()
{
    m_bricks.clear();
    m_numBlocks = 0;
    m_maxStep = 0;
    m_position = 0;
    update();
}

void DenoiseTimeline::appendStep(const CanvasStep &step)
{
    double sum = 0.0;
    int count = 0;
    for (const CanvasCell &cell : step.cells) {
        if (cell.state == CellState::Committed) {
            sum += static_cast<double>(cell.confidence);
            ++count;
        }
    }
    m_bricks.push_back({step.block.value, step.step, count > 0 ? sum / count : 0.0});
    m_numBlocks = std::max(m_numBlocks, step.block.value + 1);
    m_maxStep = std::max(m_maxStep, step.step);
    update();
}

void DenoiseTimeline::setExpectedBlocks(int numBlocks)
{
    m_numExpected = numBlocks;
    update();
}

void DenoiseTimeline::setPosition(int position)
{
    m_position = std::clamp(position, 0, numSteps());
    update();
}

QSize DenoiseTimeline::sizeHint() const
{
    return {400, 64};
}

QSize DenoiseTimeline::minimumSizeHint() const
{
    return {120, 56};
}

double DenoiseTimeline::columnWidth() const
{
    const int numColumns = std::max({1, m_numBlocks, m_numExpected});
    return std::min(maxColumnWidth, static_cast<double>(width() - 2 * side) / numColumns);
}

QColor DenoiseTimeline::brickColor(double confidence) const
{
    const QColor fill = confidenceColor(m_theme, confidence);
    if (!fill.isValid()) {
        QColor sure = m_theme.accent;
        sure.setAlphaF(0.55F);
        return sure;
    }
    // A cell's fill lies under text; a brick has no text and may be stronger.
    float hue = 0;
    float saturation = 0;
    float value = 0;
    fill.getHsvF(&hue, &saturation, &value);
    const float strength = m_theme.isDark ? 1.5F : 0.92F;
    return QColor::fromHsvF(hue, std::min(1.0F, saturation * (m_theme.isDark ? 0.9F : 1.6F)),
                            std::min(1.0F, value * strength));
}

void DenoiseTimeline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const double column = columnWidth();
    const double gap = column >= 4 ? 1.5 : column >= 2 ? 0.5 : 0.0;
    const double base = height() - knobSpace;
    const double brick = std::min(maxBrickHeight, (base - 4) / (std::max(0, m_maxStep) + 1));
    const auto paintBrick = [&](int block, int step, const QColor &color) {
        painter.fillRect(QRectF(side + block * column, base - (step + 1) * brick, column - gap, brick - 1), color);
    };
    for (int block = m_numBlocks; block < m_numExpected; ++block)
        paintBrick(block, 0, m_theme.masked);
    for (int i = 0; i < numSteps(); ++i) {
        const Brick &item = m_bricks[static_cast<std::size_t>(i)];
        paintBrick(item.block, item.step, i < m_position ? brickColor(item.confidence) : m_theme.masked);
    }
    if (!m_bricks.empty())
        paintMarker(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(m_theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void DenoiseTimeline::paintMarker(QPainter &painter) const
{
    const int block = m_position == 0 ? 0 : m_bricks[static_cast<std::size_t>(m_position - 1)].block + 1;
    const double x = side + block * columnWidth();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.accent, 2));
    painter.drawLine(QPointF(x, 2), QPointF(x, height() - knobSpace / 2.0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.accent);
    painter.drawEllipse(QPointF(x, height() - knobSpace / 2.0), 5, 5);
}

int DenoiseTimeline::positionAt(qreal x) const
{
    const int block = static_cast<int>((x - side) / columnWidth());
    const auto after
        = std::find_if(m_bricks.begin(), m_bricks.end(), [block](const Brick &brick) { return brick.block > block; });
    return static_cast<int>(after - m_bricks.begin());
}

void DenoiseTimeline::pick(int position)
{
    position = std::clamp(position, 0, numSteps());
    if (position == m_position)
        return;
    setPosition(position);
    Q_EMIT positionPicked(position);
}

void DenoiseTimeline::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_bricks.empty())
        pick(std::max(1, positionAt(event->position().x())));
}

void DenoiseTimeline::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton && !m_bricks.empty())
        pick(std::max(1, positionAt(event->position().x())));
}

void DenoiseTimeline::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return pick(m_position - 1);
    case Qt::Key_Right:
        return pick(m_position + 1);
    case Qt::Key_Home:
        return pick(std::min(1, numSteps()));
    case Qt::Key_End:
        return pick(numSteps());
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace dice::widgets
