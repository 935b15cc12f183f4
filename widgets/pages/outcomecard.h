// One line of the outcome: icon, title, state in words, evidence. Opens to show its details; click, Space or Enter.
#pragma once

#include "widgets/pages/verdictcards.h"
#include "widgets/theme/theme.h"

#include <QFrame>

class QLabel;
class QVBoxLayout;

namespace dice::widgets {

class OutcomeCard : public QFrame
{
    Q_OBJECT

public:
    OutcomeCard(const QString &title, const char *objectName, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setContent(const CardContent &content);
    const CardContent &content() const { return m_content; }
    // Takes ownership. Shown while open.
    void setDetail(QWidget *detail);
    // A card without evidence to show does not open.
    void setOpenable(bool isOpenable);
    bool isOpen() const { return m_isOpen; }
    void setOpen(bool isOpen);

Q_SIGNALS:
    void openChanged(bool isOpen);

protected:
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void showContent();

    QString m_title;
    CardContent m_content;
    Theme m_theme;
    QLabel *m_icon = nullptr;
    QLabel *m_titleLabel = nullptr;
    QLabel *m_state = nullptr;
    QLabel *m_evidence = nullptr;
    QLabel *m_chevron = nullptr;
    QVBoxLayout *m_layout = nullptr;
    QWidget *m_detail = nullptr;
    bool m_isOpenable = false;
    bool m_isOpen = false;
};

} // namespace dice::widgets
