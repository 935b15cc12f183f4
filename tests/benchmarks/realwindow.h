// The whole window over the real engine and judge, with a profile of its own that goes away with it.
#pragma once

#include "app/services/settings.h"
#include "app/services/studio.h"
#include "app/studio/mainwindow.h"

#include <QCoreApplication>
#include <QTemporaryDir>

namespace dice::test {

// The programs lie beside a test's folder, not in it. A variable may name a model to use instead of the box's.
inline services::ProcessProgram siblingProgram(const char *title, const char *name)
{
    return {QString::fromLatin1(title), QCoreApplication::applicationDirPath() + "/../bin/" + QLatin1String(name), {}};
}

struct RealWindow
{
    QTemporaryDir folder;
    services::Settings settings{settingsFile()};
    services::Studio jobs{siblingProgram("engine", "dice-engine"), siblingProgram("judge", "dice-evaluator")};
    studio::MainWindow window{{jobs, settings, folder.filePath("session.json")}};

    // Written before the window reads it.
    QString settingsFile() const
    {
        const QString file = folder.filePath("settings.ini");
        services::Settings chosen(file);
        chosen.setModel(qEnvironmentVariable("DICE_MODEL"));
        return file;
    }

    widgets::AuthorPage &page() { return *window.authorPage(); }
};

} // namespace dice::test
