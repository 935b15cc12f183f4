// The Studio over fake processes: the order of the steps, attempts, stop in every stage, crashes in every stage.
#pragma once

#include <QObject>

class TestStudio : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aJobRunsThroughItsSteps();
    void attemptsEndWithTheFirstCorrectOne();
    void attemptsAreLimited();
    void verificationCanBeSkipped();
    void aModuleThatIsNoneIsBadInput();
    void aLoadedModelIsKept();
    void aWarmUpServesTheJob();
    void stopWhileGeneratingKeepsWhatThereIs();
    void stopBeforeGeneratingEndsTheJob();
    void aDeadEngineFailsTheJobAndTheNextTryWorks();
    void aDeadJudgeFailsTheJobAndTheNextTryWorks();
    void verifyingAlone();
    void aSecondJobDoesNotDisturbTheFirst();
    void endingTheProcessesIsReported();
};
