#include "installation.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

namespace dice::services {

namespace {

QString sibling(const QString &name)
{
    return QDir(QCoreApplication::applicationDirPath()).filePath(name);
}

QString userFolder(const QString &name)
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)).filePath("dice-studio/" + name);
}

} // namespace

ProcessProgram engineProgram()
{
    return {QStringLiteral("engine"), sibling(QStringLiteral("dice-engine")), {}};
}

ProcessProgram evaluatorProgram()
{
    return {QStringLiteral("judge"), sibling(QStringLiteral("dice-evaluator")), {}, true};
}

QString commandLineProgram()
{
    return sibling(QStringLiteral("dice"));
}

QString resourceFolder()
{
    return QDir::cleanPath(sibling(QStringLiteral("../share/dice-studio")));
}

QString exampleFolder()
{
    return resourceFolder() + QStringLiteral("/examples");
}

QString userModelFolder()
{
    return userFolder(QStringLiteral("models"));
}

QString defaultRunsFolder()
{
    return userFolder(QStringLiteral("runs"));
}

} // namespace dice::services
