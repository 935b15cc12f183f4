// What a place shows when it has nothing yet: what to do, and buttons that do it.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace dice::widgets {

class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget *parent = nullptr);

    void setTexts(const QString &title, const QString &text);
    // A button under the text; its clicked() is the caller's.
    QPushButton *addAction(const QString &text, const char *objectName);
    void clearActions();

private:
    QLabel *m_title = nullptr;
    QLabel *m_text = nullptr;
    QVBoxLayout *m_actions = nullptr;
};

} // namespace dice::widgets
