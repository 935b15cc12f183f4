#include "tests/widgets/pictures.h"

#include <QDir>
#include <QPixmap>
#include <QWidget>

namespace dice::test {

void savePicture(QWidget &widget, const QString &name)
{
    const QString folder = qEnvironmentVariable("DICE_PICTURES");
    if (!folder.isEmpty())
        widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace dice::test
