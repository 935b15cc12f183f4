#include "tests/widgets/pictures.h"

#include <QDir>
#include <QPixmap>
#include <QRegularExpression>
#include <QTest>
#include <QWidget>

namespace dice::test {

// The offscreen platform has no window manager and says so for each window; that is not the widget's doing.
void failOnWarning()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
}

void savePicture(QWidget &widget, const QString &name)
{
    const QString folder = qEnvironmentVariable("DICE_PICTURES");
    if (folder.isEmpty())
        return;
    QCoreApplication::sendPostedEvents(); // layouts that wait for their turn
    widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace dice::test
