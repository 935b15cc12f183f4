// Runs the program as a script would and keeps what it said.
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

struct DiceRun
{
    int status = -1; // -1: crashed, or did not end in time
    QByteArray out;
    QByteArray error;

    QByteArray sentence() const { return error.trimmed(); }
};

inline DiceRun runDice(const QStringList &arguments, int patienceMs = 60000)
{
    QProcess process;
    process.start(QStringLiteral(DICE_PROGRAM), arguments);
    process.closeWriteChannel();
    if (!process.waitForFinished(patienceMs)) {
        process.kill();
        process.waitForFinished();
        return {-1, {}, process.readAllStandardError()};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}
