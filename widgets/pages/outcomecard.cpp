#include "widgets/pages/outcomecard.h"

#include "widgets/theme/icons.h"
#include "widgets/theme/stylesheet.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

namespace dice::widgets {

static QColor toneColor(const Theme &theme, CardTone tone)
{
    switch (tone) {
    case CardTone::Quiet:
        return theme.secondary;
    case CardTone::Accent:
        return theme.accent;
    case CardTone::Good:
        return theme.good;
    case CardTone::Care:
        return theme.care;
    case CardTone::Bad:
        return theme.bad;
    }
    return theme.secondary;
}

static const char *toneLook(CardTone tone)
{
    switch (tone) {
    case CardTone::Quiet:
        return "quiet";
    case CardTone::Accent:
        return "accent";
    case CardTone::Good:
        return "good";
    case CardTone::Care:
        return "care";
    case CardTone::Bad:
        return "bad";
    }
    return "quiet";
}

OutcomeCard::OutcomeCard(const QString &title, const char *objectName, QWidget *parent)
    : QFrame(parent)
    , m_title(title)
    , m_theme(lightTheme())
    , m_icon(new QLabel(this))
    , m_titleLabel(new QLabel(title, this))
    , m_state(new QLabel(this))
    , m_evidence(new QLabel(this))
    , m_chevron(new QLabel(this))
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(QString::fromLatin1(objectName));
    setLook(this, "card");
    setLook(m_titleLabel, "section");
    setLook(m_evidence, "secondary");
    m_state->setObjectName(QStringLiteral("state"));
    m_evidence->setObjectName(QStringLiteral("evidence"));
    m_evidence->setWordWrap(true);
    m_evidence->setTextFormat(Qt::PlainText);
    m_state->setTextFormat(Qt::PlainText);
    m_icon->setFixedWidth(20);

    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_titleLabel);
    head->addStretch(1);
    head->addWidget(m_state);
    head->addWidget(m_chevron);
    auto *texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addLayout(head);
    texts->addWidget(m_evidence);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(texts, 1);
    m_layout->setContentsMargins(12, 10, 12, 10);
    m_layout->setSpacing(8);
    m_layout->addLayout(row);
    showContent();
}

void OutcomeCard::setTheme(const Theme &theme)
{
    m_theme = theme;
    showContent();
}

void OutcomeCard::setContent(const CardContent &content)
{
    if (content == m_content)
        return;
    m_content = content;
    showContent();
}

void OutcomeCard::showContent()
{
    m_icon->setPixmap(iconPixmap(m_content.icon, toneColor(m_theme, m_content.tone), 20, devicePixelRatioF()));
    m_state->setText(m_content.state);
    setLook(m_state, toneLook(m_content.tone));
    m_evidence->setText(m_content.evidence);
    m_evidence->setVisible(!m_content.evidence.isEmpty());
    const QString chevron = m_isOpen ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down");
    m_chevron->setPixmap(iconPixmap(chevron, m_theme.secondary, 14, devicePixelRatioF()));
    m_chevron->setVisible(m_isOpenable);
    setAccessibleName(QStringLiteral("%1: %2. %3").arg(m_title, m_content.state, m_content.evidence));
}

void OutcomeCard::setDetail(QWidget *detail)
{
    m_detail = detail;
    m_detail->setParent(this);
    m_layout->addWidget(m_detail);
    m_detail->setVisible(m_isOpen);
}

void OutcomeCard::setOpenable(bool isOpenable)
{
    m_isOpenable = isOpenable;
    setFocusPolicy(isOpenable ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(isOpenable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(isOpenable ? tr("Show or hide the evidence") : QString());
    if (!isOpenable)
        setOpen(false);
    showContent();
}

void OutcomeCard::setOpen(bool isOpen)
{
    isOpen = isOpen && m_isOpenable;
    if (isOpen == m_isOpen)
        return;
    m_isOpen = isOpen;
    if (m_detail)
        m_detail->setVisible(isOpen);
    showContent();
    Q_EMIT openChanged(isOpen);
}

void OutcomeCard::mouseReleaseEvent(QMouseEvent *event)
{
    const bool isOnDetail = m_detail && m_isOpen && m_detail->geometry().contains(event->pos());
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()) && !isOnDetail)
        setOpen(!m_isOpen);
}

void OutcomeCard::keyPressEvent(QKeyEvent *event)
{
    const bool isToggle
        = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isToggle && event->modifiers() == Qt::NoModifier)
        setOpen(!m_isOpen);
    else
        QFrame::keyPressEvent(event);
}

} // namespace dice::widgets
