// The look of standard widgets in a theme. Widgets choose a look by the dynamic property "look":
//   frames: "panel" (a white card), "card", "banner"; buttons: "primary", "mode", "flat", "link";
//   labels: "title", "section", "secondary", "good", "care", "bad".
#pragma once

#include "widgets/theme/theme.h"

#include <QPalette>
#include <QString>

class QWidget;

namespace dice::widgets {

QString styleSheet(const Theme &theme);
QPalette themePalette(const Theme &theme);

// Sets the property and makes the style look again.
void setLook(QWidget *widget, const char *look);

} // namespace dice::widgets
