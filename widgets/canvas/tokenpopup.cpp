#include "widgets/canvas/tokenpopup.h"

#include <QPainter>

#include <algorithm>

namespace dice::widgets {

static constexpr int padding = 12;
static constexpr int barWidth = 72;
static constexpr int popupWidth = 236;
static constexpr std::size_t maxRows = 5;

QString visibleToken(const std::string &text)
{
    QString visible = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    visible.replace(QLatin1Char('\n'), QChar(0x21B5)); // return arrow
    visible.replace(QLatin1Char('\t'), QChar(0x21E5)); // tab arrow
    visible.replace(QLatin1Char(' '), QChar(0x00B7)); // middle dot
    return visible;
}

TokenPopup::TokenPopup(QWidget *parent)
    : QWidget(parent)
    , m_theme(lightTheme())
{
    setObjectName(QStringLiteral("tokenPopup"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void TokenPopup::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

void TokenPopup::showCell(const DocumentCell &cell, const QRect &anchor)
{
    m_headline = tr("block %1, step %2").arg(cell.block + 1).arg(cell.step + 1);
    m_confidence = tr("confidence %1").arg(static_cast<double>(cell.cell.confidence), 0, 'f', 2);
    m_rows.clear();
    for (const TokenAlternative &alternative : cell.cell.alternatives) {
        if (m_rows.size() < maxRows)
            m_rows.push_back({visibleToken(alternative.text), alternative.probability});
    }
    if (m_rows.empty())
        m_rows.push_back({visibleToken(cell.cell.text), cell.cell.confidence});
    describe();
    const int rowHeight = fontMetrics().height() + 4;
    resize(popupWidth, 2 * padding + rowHeight * (static_cast<int>(m_rows.size()) + 1) + 4);
    placeBeside(anchor);
    show();
    raise();
    update();
}

void TokenPopup::describe()
{
    QStringList texts{m_headline, m_confidence};
    for (const Row &row : m_rows)
        texts += QStringLiteral("%1 %2").arg(row.text).arg(row.probability, 0, 'f', 2);
    setAccessibleName(texts.join(QStringLiteral(", ")));
}

void TokenPopup::placeBeside(const QRect &anchor)
{
    QPoint place(anchor.left() + 24, anchor.bottom() + 8);
    const QRect area = parentWidget()->rect().adjusted(4, 4, -4, -4);
    if (place.y() + height() > area.bottom())
        place.setY(anchor.top() - 8 - height());
    place.setX(std::clamp(place.x(), area.left(), std::max(area.left(), area.right() - width())));
    place.setY(std::max(place.y(), area.top()));
    move(place);
}

void TokenPopup::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.line);
    painter.setBrush(m_theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);

    const int rowHeight = fontMetrics().height() + 4;
    QRect row(padding, padding, width() - 2 * padding, rowHeight);
    painter.setPen(m_theme.secondary);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, m_headline);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, m_confidence);
    row.translate(0, rowHeight + 4);
    const QFont code = codeFont();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const QRect nameArea(row.left(), row.top(), row.width() - barWidth - 48, rowHeight);
        painter.setFont(code);
        painter.setPen(i == 0 ? m_theme.text : m_theme.secondary);
        painter.drawText(nameArea, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(code).elidedText(m_rows[i].text, Qt::ElideRight, nameArea.width()));
        painter.setFont(font());
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, QString::number(m_rows[i].probability, 'f', 2));
        QColor fill = m_theme.accent;
        fill.setAlphaF(i == 0 ? 0.75F : 0.35F);
        const double length = std::max(2.0, barWidth * std::clamp(m_rows[i].probability, 0.0, 1.0));
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(nameArea.right() + 8, row.center().y() - 3.5, length, 8), 2, 2);
        row.translate(0, rowHeight);
    }
}

} // namespace dice::widgets
