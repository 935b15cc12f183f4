// The bar at the left that switches between pages: an icon and a word each. Shows only pages that are there.
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

class QButtonGroup;
class QToolButton;
class QVBoxLayout;

namespace dice::widgets {

class ModeBar : public QWidget
{
    Q_OBJECT

public:
    explicit ModeBar(QWidget *parent = nullptr);

    void addMode(const QString &title, const QString &icon); // icon: a name in resources/icons
    void setTheme(const Theme &theme);
    int current() const;
    void setCurrent(int index);

Q_SIGNALS:
    void currentChanged(int index);

private:
    struct Mode
    {
        QToolButton *button = nullptr;
        QString icon;
    };

    std::vector<Mode> m_modes;
    QButtonGroup *m_group = nullptr;
    QVBoxLayout *m_layout = nullptr;
};

} // namespace dice::widgets
