// Every colour of the window, in one value. Widgets get a Theme and paint with it; where it comes from
// (the desktop's palette or a menu) is not their business.
#pragma once

#include <QColor>
#include <QFont>
#include <QMetaType>
#include <QPalette>

#include <array>

namespace dice::widgets {

struct Theme
{
    bool isDark = false;
    QColor window;
    QColor panel;
    QColor code; // background of editors and the canvas
    QColor line;
    QColor text;
    QColor secondary;
    QColor accent;
    QColor onAccent; // text on the accent
    QColor good;
    QColor care;
    QColor bad;
    QColor masked;
    QColor hover; // a surface under the pointer or selected
    // From sure to unsure: blue, teal, green, yellow, sand. Differ in lightness too, for colour-blind readers.
    std::array<QColor, 5> confidence;
    QColor keyword;
    QColor definition;
    QColor string;
    QColor number;
    QColor comment;

    bool operator==(const Theme &) const = default;
};

enum class ThemeChoice { FollowDesktop, Light, Dark };

Theme lightTheme();
Theme darkTheme();

// Dark when the desktop's window colour is darker than its text.
Theme resolveTheme(ThemeChoice choice, const QPalette &desktop);

// Fill of a token's cell for a probability in [0, 1]; an invalid colour means no fill: the model was sure.
QColor confidenceColor(const Theme &theme, double confidence);

// Below this probability a token gets a dotted underline: the second cue beside the colour.
inline constexpr double unsureBelow = 0.75;

// The desktop's own fonts; DejaVu when it names none.
QFont codeFont();
QFont scaledFont(const QFont &base, double factor, QFont::Weight weight = QFont::Normal);

// WCAG 2 contrast ratio of two opaque colours, 1 to 21.
double contrastRatio(const QColor &first, const QColor &second);

} // namespace dice::widgets

Q_DECLARE_METATYPE(dice::widgets::Theme)
