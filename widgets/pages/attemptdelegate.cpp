#include "widgets/pages/attemptdelegate.h"

#include "widgets/models/attemptsmodel.h"

#include <QPainter>

namespace dice::widgets {

static constexpr int gap = 8; // between cards

AttemptDelegate::AttemptDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(lightTheme())
{
}

QColor AttemptDelegate::colorOf(const QModelIndex &index) const
{
    const auto state = static_cast<AttemptState>(index.data(AttemptsModel::StateRole).toInt());
    if (state == AttemptState::Failed)
        return m_theme.bad;
    if (state == AttemptState::Writing || state == AttemptState::Verifying)
        return m_theme.accent;
    const QVariant word = index.data(AttemptsModel::WordRole);
    if (!word.isValid())
        return m_theme.secondary;
    switch (static_cast<VerdictWord>(word.toInt())) {
    case VerdictWord::Correct:
        return m_theme.good;
    case VerdictWord::NeedsGpu:
    case VerdictWord::HarnessError:
        return m_theme.care;
    default:
        return m_theme.bad;
    }
}

void AttemptDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect card = option.rect.adjusted(0, 0, 0, -gap);
    const bool isCurrent = option.state & QStyle::State_Selected;
    const bool isHot = option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus);
    painter->setPen(isCurrent || isHot ? m_theme.accent : m_theme.line);
    painter->setBrush(m_theme.panel);
    painter->drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);

    const QRect inner = card.adjusted(12, 8, -12, -8);
    const QString number = QStringLiteral("#%1").arg(index.data(AttemptsModel::NumberRole).toInt());
    const QFont numberFont = scaledFont(option.font, 1.2, QFont::DemiBold);
    const int numberWidth = std::max(32, QFontMetrics(numberFont).horizontalAdvance(number) + 8);
    painter->setFont(numberFont);
    painter->setPen(colorOf(index));
    painter->drawText(QRect(inner.left(), inner.top(), numberWidth, inner.height()), Qt::AlignLeft | Qt::AlignVCenter,
                      number);

    const QRect texts = inner.adjusted(numberWidth, 0, 0, 0);
    const QFont titleFont = scaledFont(option.font, 1.0, QFont::DemiBold);
    painter->setFont(titleFont);
    painter->setPen(m_theme.text);
    painter->drawText(texts, Qt::AlignLeft | Qt::AlignTop, index.data(Qt::DisplayRole).toString());
    painter->setFont(option.font);
    painter->setPen(m_theme.secondary);
    const QString evidence = index.data(AttemptsModel::EvidenceRole).toString().simplified();
    painter->drawText(texts, Qt::AlignLeft | Qt::AlignBottom,
                      option.fontMetrics.elidedText(evidence, Qt::ElideRight, texts.width()));
    painter->restore();
}

QSize AttemptDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {120, 2 * option.fontMetrics.height() + 4 + 16 + gap};
}

} // namespace dice::widgets
