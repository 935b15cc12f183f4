#include "widgets/pages/modebar.h"

#include "widgets/theme/icons.h"
#include "widgets/theme/stylesheet.h"

#include <QButtonGroup>
#include <QToolButton>
#include <QVBoxLayout>

namespace dice::widgets {

static constexpr int barWidth = 78;
static constexpr int iconSize = 22;

ModeBar::ModeBar(QWidget *parent)
    : QWidget(parent)
    , m_group(new QButtonGroup(this))
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("modeBar"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedWidth(barWidth);
    m_layout->setContentsMargins(6, 12, 6, 12);
    m_layout->setSpacing(8);
    m_layout->addStretch(1);
    m_group->setExclusive(true);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool isChecked) {
        if (isChecked)
            Q_EMIT currentChanged(id);
    });
}

void ModeBar::addMode(const QString &title, const QString &icon)
{
    const int index = static_cast<int>(m_modes.size());
    auto *button = new QToolButton(this);
    button->setObjectName(QStringLiteral("mode-%1").arg(icon));
    button->setText(title);
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize({iconSize, iconSize});
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setMinimumHeight(58);
    button->setToolTip(tr("%1 (Ctrl+%2)").arg(title).arg(index + 1));
    setLook(button, "mode");
    m_group->addButton(button, index);
    m_layout->insertWidget(index, button);
    m_modes.push_back({button, icon});
    if (index == 0)
        button->setChecked(true);
}

void ModeBar::setTheme(const Theme &theme)
{
    for (const Mode &mode : m_modes) {
        QIcon icon = themeIcon(mode.icon, theme.secondary, iconSize);
        for (const double ratio : {1.0, 2.0})
            icon.addPixmap(iconPixmap(mode.icon, theme.accent, iconSize, ratio), QIcon::Normal, QIcon::On);
        mode.button->setIcon(icon);
    }
}

int ModeBar::current() const
{
    return m_group->checkedId();
}

void ModeBar::setCurrent(int index)
{
    if (QAbstractButton *button = m_group->button(index))
        button->setChecked(true);
}

} // namespace dice::widgets
