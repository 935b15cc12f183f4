// The window's SVG icons, drawn in a colour of the theme. Names are file names in resources/icons.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace dice::widgets {

// One icon at `size` logical pixels, sharp at the given device pixel ratio.
QPixmap iconPixmap(const QString &name, const QColor &color, int size, double devicePixelRatio);

// For buttons and menus; rendered at 1x and 2x.
QIcon themeIcon(const QString &name, const QColor &color, int size = 18);

} // namespace dice::widgets
