#include "widgets/theme/icons.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

// Outside every namespace, as Q_INIT_RESOURCE demands: the resource lives in a static library.
static void initIcons()
{
    Q_INIT_RESOURCE(icons);
}

namespace dice::widgets {

QPixmap iconPixmap(const QString &name, const QColor &color, int size, double devicePixelRatio)
{
    initIcons();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    const bool isFound = file.open(QIODevice::ReadOnly);
    Q_ASSERT_X(isFound, "iconPixmap", qPrintable(name));
    QByteArray svg = isFound ? file.readAll() : QByteArray();
    svg.replace("currentColor", color.name().toLatin1());

    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(svg).render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

QIcon themeIcon(const QString &name, const QColor &color, int size)
{
    QIcon icon(iconPixmap(name, color, size, 1.0));
    icon.addPixmap(iconPixmap(name, color, size, 2.0));
    return icon;
}

} // namespace dice::widgets
