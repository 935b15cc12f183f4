#include "app/studio/startup.h"

#include "app/services/settings.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QStandardPaths>
#include <QTranslator>

static void initTranslations()
{
    Q_INIT_RESOURCE(translations);
}

namespace dice::studio {

void nameApplication(QApplication &application)
{
    application.setApplicationName(QStringLiteral("dice-studio"));
    application.setApplicationVersion(QStringLiteral(DICE_VERSION));
    application.setDesktopFileName(QStringLiteral("dice-studio"));
    application.setStyle(QStringLiteral("Fusion"));
}

void loadTranslations(QApplication &application)
{
    initTranslations();
    auto *qt = new QTranslator(&application);
    if (qt->load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"),
                 QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QApplication::installTranslator(qt);
    auto *own = new QTranslator(&application);
    if (own->load(QLocale(), QStringLiteral("dice-studio"), QStringLiteral("_"), QStringLiteral(":/i18n")))
        QApplication::installTranslator(own);
}

StartOptions parseOptions(const QApplication &application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate(
        "Startup", "Paste a PyTorch module, watch a CUDA kernel appear, know whether it is right."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("MODULE.py"),
                                 QCoreApplication::translate("Startup", "A PyTorch module to open"),
                                 QStringLiteral("[MODULE.py]"));
    const auto add = [&parser](const char *name, const QString &text, const char *value) {
        parser.addOption({QString::fromLatin1(name), text, QString::fromLatin1(value)});
    };
    add("profile", QCoreApplication::translate("Startup", "Keep settings and session in FOLDER"), "FOLDER");
    add("screenshot", QCoreApplication::translate("Startup", "Write a picture of the window to FILE and quit"), "FILE");
    add("state", QCoreApplication::translate("Startup", "What the picture shows: empty, working, failed or filled"),
        "STATE");
    add("theme", QCoreApplication::translate("Startup", "light or dark"), "THEME");
    add("size", QCoreApplication::translate("Startup", "Size of the window in the picture"), "WIDTHxHEIGHT");
    parser.process(application);
    const QStringList files = parser.positionalArguments();
    return {files.isEmpty() ? QString() : files.front(), parser.value(QStringLiteral("profile")),
            parser.value(QStringLiteral("screenshot")),  parser.value(QStringLiteral("state")),
            parser.value(QStringLiteral("theme")),       parser.value(QStringLiteral("size"))};
}

QString settingsFile(const StartOptions &options)
{
    return options.profile.isEmpty() ? services::Settings::defaultFile()
                                     : options.profile + QStringLiteral("/settings.ini");
}

QString sessionFile(const StartOptions &options)
{
    const QString folder = options.profile.isEmpty()
        ? QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/dice-studio")
        : options.profile;
    return folder + QStringLiteral("/session.json");
}

} // namespace dice::studio
