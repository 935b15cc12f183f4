#include "widgets/theme/theme.h"

#include <QFontDatabase>
#include <QFontInfo>

#include <algorithm>
#include <cmath>

namespace dice::widgets {

Theme lightTheme()
{
    Theme theme;
    theme.window = QColor(0xf3, 0xf4, 0xf6);
    theme.panel = QColor(0xff, 0xff, 0xff);
    theme.code = QColor(0xfb, 0xfb, 0xfd);
    theme.line = QColor(0xdf, 0xe2, 0xe8);
    theme.text = QColor(0x1d, 0x24, 0x30);
    theme.secondary = QColor(0x5f, 0x68, 0x7a); // a shade under the sketch's, for 4.5 : 1 on the window colour
    theme.accent = QColor(0x2b, 0x68, 0xe0);
    theme.onAccent = QColor(0xff, 0xff, 0xff);
    theme.good = QColor(0x0f, 0x76, 0x55);
    theme.care = QColor(0x96, 0x59, 0x00);
    theme.bad = QColor(0xc0, 0x36, 0x2c);
    theme.masked = QColor(0xe6, 0xe8, 0xee);
    theme.hover = QColor(0xec, 0xee, 0xf2);
    theme.confidence = {QColor(0xc6, 0xd5, 0xf7), QColor(0xbb, 0xe1, 0xe6), QColor(0xcd, 0xe6, 0xbd),
                        QColor(0xf2, 0xe6, 0xa2), QColor(0xe9, 0xc7, 0x9c)};
    theme.keyword = theme.accent;
    theme.definition = QColor(0xa9, 0x3a, 0x2f);
    theme.string = QColor(0x0f, 0x76, 0x55);
    theme.number = QColor(0x96, 0x59, 0x00);
    theme.comment = QColor(0x66, 0x6e, 0x80);
    return theme;
}

Theme darkTheme()
{
    Theme theme;
    theme.isDark = true;
    theme.window = QColor(0x16, 0x18, 0x1d);
    theme.panel = QColor(0x1e, 0x21, 0x27);
    theme.code = QColor(0x1a, 0x1d, 0x23);
    theme.line = QColor(0x30, 0x34, 0x3d);
    theme.text = QColor(0xe3, 0xe6, 0xec);
    theme.secondary = QColor(0x97, 0x9f, 0xae);
    theme.accent = QColor(0x6e, 0xa0, 0xff);
    theme.onAccent = QColor(0x10, 0x16, 0x22);
    theme.good = QColor(0x4c, 0xc3, 0x8a);
    theme.care = QColor(0xe0, 0xa0, 0x3b);
    theme.bad = QColor(0xf0, 0x76, 0x6b);
    theme.masked = QColor(0x2a, 0x2e, 0x37);
    theme.hover = QColor(0x26, 0x2a, 0x32);
    theme.confidence = {QColor(0x25, 0x3f, 0x80), QColor(0x1d, 0x56, 0x62), QColor(0x2c, 0x5f, 0x3c),
                        QColor(0x66, 0x5e, 0x22), QColor(0x76, 0x4d, 0x2b)};
    theme.keyword = QColor(0x82, 0xae, 0xff);
    theme.definition = QColor(0xf0, 0x8d, 0x84);
    theme.string = QColor(0x5c, 0xc9, 0x95);
    theme.number = QColor(0xe0, 0xa0, 0x3b);
    theme.comment = QColor(0x97, 0x9f, 0xae);
    return theme;
}

Theme resolveTheme(ThemeChoice choice, const QPalette &desktop)
{
    if (choice == ThemeChoice::Light)
        return lightTheme();
    if (choice == ThemeChoice::Dark)
        return darkTheme();
    const bool isDark = desktop.color(QPalette::Window).lightness() < desktop.color(QPalette::WindowText).lightness();
    return isDark ? darkTheme() : lightTheme();
}

QColor confidenceColor(const Theme &theme, double confidence)
{
    static constexpr std::array<double, 5> lowerBounds = {0.9, unsureBelow, 0.55, 0.35, 0.0};
    if (confidence >= 0.98)
        return {};
    for (std::size_t i = 0; i < lowerBounds.size(); ++i) {
        if (confidence >= lowerBounds[i])
            return theme.confidence[i];
    }
    return theme.confidence.back();
}

QFont codeFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (!QFontInfo(font).fixedPitch())
        font = QFont(QStringLiteral("DejaVu Sans Mono"));
    font.setStyleHint(QFont::Monospace);
    font.setPointSizeF(std::clamp(font.pointSizeF(), 9.0, 11.0));
    return font;
}

QFont scaledFont(const QFont &base, double factor, QFont::Weight weight)
{
    QFont font = base;
    font.setPointSizeF(std::max(7.0, base.pointSizeF() * factor));
    font.setWeight(weight);
    return font;
}

static double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

static double luminance(const QColor &color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrastRatio(const QColor &first, const QColor &second)
{
    const auto [dark, light] = std::minmax({luminance(first), luminance(second)});
    return (light + 0.05) / (dark + 0.05);
}

} // namespace dice::widgets
