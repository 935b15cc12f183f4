// dice-studio: the window. Puts the parts together; the engine and the judge start after the first paint.
#include "app/services/installation.h"
#include "app/services/settings.h"
#include "app/services/studio.h"
#include "app/studio/mainwindow.h"
#include "app/studio/picturetaker.h"
#include "app/studio/startup.h"
#include "core/base/log.h"

#include <QApplication>

#include <memory>

int main(int argc, char **argv)
{
    using namespace dice;
    setUpLog("dice-studio");
    QApplication application(argc, argv);
    studio::nameApplication(application);
    studio::loadTranslations(application);
    const studio::StartOptions options = studio::parseOptions(application);

    services::Settings settings(studio::settingsFile(options));
    services::Studio jobs(services::engineProgram(), services::evaluatorProgram());
    studio::MainWindow window({jobs, settings, studio::sessionFile(options)});
    if (!options.module.isEmpty())
        window.openModule(options.module);
    std::unique_ptr<studio::PictureTaker> pictures;
    QObject::connect(&window, &studio::MainWindow::firstPainted, &window, [&] {
        spdlog::info("first paint");
        window.startBackground();
        if (!options.screenshot.isEmpty()) {
            pictures = std::make_unique<studio::PictureTaker>(window, jobs, options);
            pictures->start();
        }
    });
    window.show();
    return QApplication::exec();
}
