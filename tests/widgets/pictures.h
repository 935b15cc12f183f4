// Pictures of a widget under test, for the eye: written when the environment variable DICE_PICTURES names a folder.
#pragma once

class QString;
class QWidget;

namespace dice::test {

// Of the test function that calls it: Qt clears it after each.
void failOnWarning();

void savePicture(QWidget &widget, const QString &name);

} // namespace dice::test
