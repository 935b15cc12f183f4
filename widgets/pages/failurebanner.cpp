#include "widgets/pages/failurebanner.h"

#include "widgets/theme/icons.h"
#include "widgets/theme/stylesheet.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace dice::widgets {

FailureBanner::FailureBanner(QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_cause(new QLabel(this))
    , m_nextStep(new QLabel(this))
    , m_action(new QPushButton(this))
    , m_dismiss(new QPushButton(tr("Dismiss"), this))
{
    setObjectName(QStringLiteral("failureBanner"));
    setLook(this, "banner");
    setLook(m_sentence, "section");
    setLook(m_cause, "secondary");
    m_sentence->setObjectName(QStringLiteral("failureSentence"));
    m_cause->setObjectName(QStringLiteral("failureCause"));
    m_nextStep->setObjectName(QStringLiteral("failureNextStep"));
    m_action->setObjectName(QStringLiteral("failureAction"));
    m_dismiss->setObjectName(QStringLiteral("failureDismiss"));
    for (QLabel *label : {m_sentence, m_cause, m_nextStep}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText); // may quote a process's own words
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->setHorizontalSpacing(8);
    layout->setVerticalSpacing(4);
    layout->addWidget(m_icon, 0, 0, Qt::AlignTop);
    layout->addWidget(m_sentence, 0, 1);
    layout->addWidget(m_cause, 1, 1);
    layout->addWidget(m_nextStep, 2, 1);
    layout->addWidget(m_action, 0, 2, 1, 1);
    layout->addWidget(m_dismiss, 1, 2, 2, 1, Qt::AlignTop);
    layout->setColumnStretch(1, 1);
    hide();

    connect(m_dismiss, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        Q_EMIT actionRequested(m_kind);
    });
}

void FailureBanner::setTheme(const Theme &theme)
{
    m_icon->setPixmap(iconPixmap(QStringLiteral("care"), theme.bad, 20, devicePixelRatioF()));
}

static QString actionText(FailureAction action)
{
    switch (action) {
    case FailureAction::None:
        return {};
    case FailureAction::TryAgain:
        return FailureBanner::tr("Try again");
    case FailureAction::RestartEngine:
    case FailureAction::RestartEvaluator:
        return FailureBanner::tr("Start it again");
    }
    return {};
}

void FailureBanner::showFailure(const PageFailure &failure)
{
    m_kind = failure.action;
    m_sentence->setText(failure.sentence);
    m_cause->setText(failure.cause);
    m_cause->setVisible(!failure.cause.isEmpty());
    m_nextStep->setText(failure.nextStep);
    m_nextStep->setVisible(!failure.nextStep.isEmpty());
    m_action->setText(actionText(failure.action));
    m_action->setVisible(failure.action != FailureAction::None);
    setAccessibleName(QStringList{failure.sentence, failure.cause, failure.nextStep}.join(QLatin1Char(' ')));
    show();
}

} // namespace dice::widgets
