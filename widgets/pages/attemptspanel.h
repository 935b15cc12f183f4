// The list of attempts, newest first; picking one brings its kernel and verdict back.
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QListView;

namespace dice::widgets {

class AttemptsModel;
class AttemptDelegate;

class AttemptsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit AttemptsPanel(AttemptsModel *model, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setCurrent(int number); // silent

Q_SIGNALS:
    void attemptPicked(int number);

private:
    void showEmptiness();

    AttemptsModel *m_model = nullptr;
    AttemptDelegate *m_delegate = nullptr;
    QListView *m_view = nullptr;
    QLabel *m_hint = nullptr;
    bool m_isSetting = false;
};

} // namespace dice::widgets
