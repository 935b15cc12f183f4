// ProcessChannel against processes that behave and processes that do not.
#pragma once

#include <QObject>

class TestChannel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void requestsAreAnsweredById_data();
    void requestsAreAnsweredById();
    void errorsOfTheOtherSideArrive();
    void nothingIsAnsweredFromInsideSend();
    void brokenProcessesEndEveryRequest_data();
    void brokenProcessesEndEveryRequest();
    void aProcessIsStartedAnewAfterACrash();
    void aKilledProcessEndsEveryRequest();
    void aProcessThatDiedIdleIsReplaced();
    void aSecondReplyIsDropped();
    void anAbandonedRequestIsSilent();
    void stopEndsAHangingProcess();
    void stopKillsADeafProcess();
    void destructionLeavesNoProcess();
    void aHandlerMayDeleteTheChannel();
};
