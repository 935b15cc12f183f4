#include "installation.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>
#include <QThread>

namespace dice::services {

namespace {

constexpr int fewCores = 4;
constexpr int politeNiceness = 5;

QString sibling(const QString &name)
{
    return QDir(QCoreApplication::applicationDirPath()).filePath(name);
}

QString userFolder(const QString &name)
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)).filePath("dice-studio/" + name);
}

} // namespace

ProcessProgram engineProgram(int niceness)
{
    return {QStringLiteral("engine"), sibling(QStringLiteral("dice-engine")), {}, niceness};
}

ProcessProgram evaluatorProgram()
{
    return {QStringLiteral("judge"), sibling(QStringLiteral("dice-evaluator")), {}, 0};
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

int engineNiceness()
{
    return QThread::idealThreadCount() <= fewCores ? politeNiceness : 0;
}

} // namespace dice::services
