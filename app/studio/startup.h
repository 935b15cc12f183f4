// What main() needs before there is a window: names, translations, and the options of the command line.
#pragma once

#include <QString>

#include <optional>

class QApplication;

namespace dice::studio {

struct StartOptions
{
    QString module; // file to open
    QString profile; // folder of settings and session; empty: the user's own
    QString screenshot; // file to write a picture of the window to, then quit
    QString state; // "empty", "working", "failed", "filled"
    QString theme; // "light", "dark"; empty: as set
    QString size; // "1600x980"
};

void nameApplication(QApplication &application);
void loadTranslations(QApplication &application);
// Ends the process with a sentence for wrong use, --help and --version.
StartOptions parseOptions(const QApplication &application);
QString settingsFile(const StartOptions &options);
QString sessionFile(const StartOptions &options);

} // namespace dice::studio
