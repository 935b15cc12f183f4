// Benchmark runs over fake processes: what counts as a task, what is kept, how a run goes on.
#pragma once

#include <QObject>
#include <QTemporaryDir>

#include <memory>

class TestBenchmark : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void tasksAreFoundHoweverTheyAreStored();
    void brokenTablesNameTheLine();
    void samplesAreTheSameForTheSameSeed();
    void aRunScoresEveryTask();
    void aRunGoesOnWhereItEnded();
    void otherSettingsAreRefused();
    void givenKernelsAskNoModel();
    void aJudgeThatDiesOnceCostsNothing();
    void aJudgeThatAlwaysDiesIsAHarnessError();

private:
    void write(const QString &name, const QByteArray &text);
    std::string path(const QString &name) const { return m_folder->filePath(name).toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
};
