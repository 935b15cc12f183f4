// A failure as the user sees it: a sentence, its cause, the next step, and a button that takes it.
#pragma once

#include "widgets/theme/theme.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace dice::widgets {

enum class FailureAction { None, TryAgain, RestartEngine, RestartEvaluator };

struct PageFailure
{
    QString sentence; // "The engine ended while it wrote block 12."
    QString cause; // what is known of why; may be empty
    QString nextStep; // what to do
    FailureAction action = FailureAction::TryAgain;

    bool operator==(const PageFailure &) const = default;
};

class FailureBanner : public QFrame
{
    Q_OBJECT

public:
    explicit FailureBanner(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void showFailure(const PageFailure &failure);

Q_SIGNALS:
    void actionRequested(dice::widgets::FailureAction action);

private:
    QLabel *m_icon = nullptr;
    QLabel *m_sentence = nullptr;
    QLabel *m_cause = nullptr;
    QLabel *m_nextStep = nullptr;
    QPushButton *m_action = nullptr;
    QPushButton *m_dismiss = nullptr;
    FailureAction m_kind = FailureAction::None;
};

} // namespace dice::widgets
