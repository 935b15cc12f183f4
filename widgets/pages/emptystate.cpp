#include "widgets/pages/emptystate.h"

#include "widgets/theme/stylesheet.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace dice::widgets {

static constexpr int textWidth = 420;

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_text(new QLabel(this))
    , m_actions(new QVBoxLayout)
{
    setLook(m_title, "title");
    setLook(m_text, "secondary");
    for (QLabel *label : {m_title, m_text}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
    }
    m_title->setObjectName(QStringLiteral("emptyTitle"));
    m_text->setObjectName(QStringLiteral("emptyText"));
    m_text->setFixedWidth(textWidth);
    m_actions->setSpacing(8);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(12);
    layout->addStretch(2);
    layout->addWidget(m_title);
    auto *row = new QHBoxLayout; // an alignment would ask the label for its height before it knows its width
    row->addStretch(1);
    row->addWidget(m_text);
    row->addStretch(1);
    layout->addLayout(row);
    layout->addSpacing(8);
    layout->addLayout(m_actions);
    layout->addStretch(3);
}

void EmptyState::setTexts(const QString &title, const QString &text)
{
    m_title->setText(title);
    m_text->setText(text);
}

QPushButton *EmptyState::addAction(const QString &text, const char *objectName)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(objectName));
    button->setMinimumWidth(240);
    m_actions->addWidget(button, 0, Qt::AlignHCenter);
    return button;
}

void EmptyState::clearActions()
{
    while (QLayoutItem *item = m_actions->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace dice::widgets
