#include "widgets/theme/stylesheet.h"

#include <QStyle>
#include <QWidget>

#include <utility>

namespace dice::widgets {

// Names in %...% are replaced by colours of the theme. Radius 8 for cards, 6 for buttons; spacing in steps of 4.
static const char *const sheet = R"(
QMainWindow, QDialog, #page { background: %window%; }
QWidget { color: %text%; }
QLabel { background: transparent; }
QLabel[look="title"] { font-weight: 600; font-size: 12pt; }
QLabel[look="section"] { font-weight: 600; }
QLabel[look="secondary"] { color: %secondary%; }
QLabel[look="good"] { color: %good%; font-weight: 600; }
QLabel[look="care"] { color: %care%; font-weight: 600; }
QLabel[look="bad"] { color: %bad%; font-weight: 600; }
QLabel[look="accent"] { color: %accent%; font-weight: 600; }
QLabel[look="quiet"] { color: %secondary%; font-weight: 600; }

QFrame[look="panel"] { background: %panel%; border: 1px solid %line%; border-radius: 8px; }
QFrame[look="code"] { background: %code%; border: 1px solid %line%; border-radius: 8px; }
QFrame[look="card"] { background: %panel%; border: 1px solid %line%; border-radius: 8px; }
QFrame[look="card"]:hover, QFrame[look="card"]:focus { border-color: %accent%; }
QFrame[look="banner"] { background: %panel%; border: 1px solid %bad%; border-radius: 8px; }
QFrame[look="rule"] { background: %line%; border: none; }

QPushButton, QToolButton { background: %panel%; border: 1px solid %line%; border-radius: 6px; padding: 5px 12px; }
QToolButton { padding: 5px 8px; }
QPushButton:hover, QToolButton:hover { background: %hover%; }
QPushButton:pressed, QToolButton:pressed { background: %masked%; }
QPushButton:focus, QToolButton:focus { border-color: %accent%; }
QPushButton:disabled, QToolButton:disabled { color: %disabled%; background: transparent; }
QPushButton::menu-indicator { image: none; width: 0; }
QPushButton[look="primary"] { background: %accent%; border-color: %accent%; color: %onAccent%; font-weight: 600; }
QPushButton[look="primary"]:hover { background: %accentHover%; }
QPushButton[look="primary"]:focus { border-color: %text%; }
QPushButton[look="primary"]:disabled { background: %masked%; border-color: %masked%; color: %disabled%; }
QPushButton[look="link"] { background: transparent; border: none; color: %accent%; padding: 2px 4px; }
QPushButton[look="link"]:hover, QPushButton[look="link"]:focus { text-decoration: underline; }
QToolButton[look="mode"] { border: none; background: transparent; color: %secondary%; border-radius: 6px; padding: 8px 2px; }
QToolButton[look="mode"]:hover { background: %hover%; }
QToolButton[look="mode"]:checked { background: %window%; color: %accent%; }
QToolButton[look="mode"]:focus { border: 1px solid %accent%; }
QToolButton[look="segment"] { padding: 4px 10px; color: %secondary%; }
QToolButton[look="segment"]:checked { color: %accent%; background: %hover%; }

QComboBox, QSpinBox, QDoubleSpinBox, QLineEdit { background: %code%; border: 1px solid %line%; border-radius: 6px; padding: 3px 8px; min-height: 18px; selection-background-color: %accent%; selection-color: %onAccent%; }
QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QLineEdit:focus { border-color: %accent%; }
QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QLineEdit:disabled { color: %disabled%; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/combo-arrow.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: %panel%; border: 1px solid %line%; selection-background-color: %hover%; selection-color: %text%; outline: none; }

QMenuBar { background: %window%; }
QMenuBar::item { background: transparent; padding: 4px 10px; border-radius: 4px; }
QMenuBar::item:selected { background: %hover%; }
QMenu { background: %panel%; border: 1px solid %line%; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: %hover%; }
QMenu::item:disabled { color: %disabled%; }
QMenu::separator { height: 1px; background: %line%; margin: 4px 8px; }
QToolTip { background: %panel%; color: %text%; border: 1px solid %line%; padding: 4px; }

QAbstractItemView { background: %panel%; border: none; outline: none; selection-background-color: %hover%; selection-color: %text%; }
QListView#modelList::item { padding: 8px; border-radius: 6px; }
QListView[look="cards"] { background: transparent; }
QTableView { gridline-color: transparent; }
QTableView::item, QListView::item { padding: 3px 6px; }
QHeaderView { background: transparent; }
QHeaderView::section { background: transparent; color: %secondary%; border: none; border-bottom: 1px solid %line%; padding: 3px 3px; }
QPlainTextEdit { background: %code%; border: 1px solid %line%; border-radius: 6px; }
QTextBrowser { background: %panel%; border: none; }

QScrollArea, #scrolled { background: transparent; border: none; }
QScrollBar { background: transparent; border: none; margin: 2px; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: %line%; border-radius: 4px; min-height: 32px; min-width: 32px; }
QScrollBar::handle:hover { background: %secondary%; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: %line%; }

QStatusBar { background: %panel%; border-top: 1px solid %line%; color: %secondary%; }
QStatusBar QLabel { color: %secondary%; padding: 2px 10px; }
QStatusBar::item { border: none; }
QProgressBar { margin-right: 12px; background: %masked%; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: %accent%; border-radius: 3px; }
#modeBar { background: %panel%; border: none; border-right: 1px solid %line%; }
)";

static QColor mix(const QColor &first, const QColor &second, double share)
{
    const auto channel = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return QColor(channel(first.red(), second.red()), channel(first.green(), second.green()),
                  channel(first.blue(), second.blue()));
}

QString styleSheet(const Theme &theme)
{
    const std::pair<const char *, QColor> names[] = {
        {"%window%", theme.window},
        {"%panel%", theme.panel},
        {"%code%", theme.code},
        {"%line%", theme.line},
        {"%text%", theme.text},
        {"%secondary%", theme.secondary},
        {"%accentHover%", mix(theme.accent, theme.text, 0.12)},
        {"%accent%", theme.accent},
        {"%onAccent%", theme.onAccent},
        {"%good%", theme.good},
        {"%care%", theme.care},
        {"%bad%", theme.bad},
        {"%masked%", theme.masked},
        {"%hover%", theme.hover},
        {"%disabled%", mix(theme.secondary, theme.panel, 0.4)},
    };
    QString text = QString::fromLatin1(sheet);
    for (const auto &[name, color] : names)
        text.replace(QLatin1String(name), color.name());
    return text;
}

QPalette themePalette(const Theme &theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.code);
    palette.setColor(QPalette::AlternateBase, theme.panel);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.secondary);
    palette.setColor(QPalette::Button, theme.panel);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::ToolTipBase, theme.panel);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::Mid, theme.line);
    return palette;
}

void setLook(QWidget *widget, const char *look)
{
    widget->setProperty("look", QString::fromLatin1(look));
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace dice::widgets
