#include "tst_channel.h"

#include "tests/services/fakeprograms.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace dice;
using namespace dice::services;

namespace {

using Replies = std::vector<Result<Json>>;

ProcessChannel::ReplyHandler into(Replies &replies)
{
    return [&replies](const Result<Json> &reply) { replies.push_back(reply); };
}

bool isAlive(qint64 processId)
{
    return ::kill(static_cast<pid_t>(processId), 0) == 0;
}

} // namespace

void TestChannel::init()
{
    QTest::failOnWarning(QRegularExpression(".*"));
}

void TestChannel::requestsAreAnsweredById_data()
{
    QTest::addColumn<QString>("mode");
    QTest::newRow("well") << "well";
    QTest::newRow("bytewise") << "bytewise";
}

void TestChannel::requestsAreAnsweredById()
{
    QFETCH(QString, mode);
    ProcessChannel channel(fakeProgram(mode));
    std::map<int, int> echoes;
    int numEvents = 0;
    for (int i = 0; i < 20; ++i) {
        channel.send(
            "echo", {{"number", i}},
            [&echoes, i](const Result<Json> &reply) { echoes[i] = reply->at("echo").at("number").get<int>(); },
            [&numEvents](const std::string &name, const Json &payload) {
                numEvents += name == "note" && payload.at("about") == "echo" ? 1 : 0;
            });
    }
    QTRY_COMPARE(echoes.size(), std::size_t(20));
    for (const auto &[sent, echoed] : echoes)
        QCOMPARE(echoed, sent);
    QCOMPARE(numEvents, 20);
    QVERIFY(channel.capabilities() == Json({{"fake", true}}));
    QCOMPARE(channel.state(), ProcessChannel::State::Ready);
}

void TestChannel::errorsOfTheOtherSideArrive()
{
    ProcessChannel channel(fakeProgram("well"));
    Replies replies;
    channel.send("refuse", Json::object(), into(replies));
    QTRY_COMPARE(replies.size(), std::size_t(1));
    QCOMPARE(replies[0].error(), makeError(ErrorCode::Unsupported, "not here"));
    QCOMPARE(channel.state(), ProcessChannel::State::Ready);
}

void TestChannel::nothingIsAnsweredFromInsideSend()
{
    ProcessChannel channel({"fake", "/no/such/program", {}});
    Replies replies;
    channel.send("echo", Json::object(), into(replies));
    QVERIFY(replies.empty());
    QTRY_COMPARE(replies.size(), std::size_t(1));
    QCOMPARE(replies[0].error().code, ErrorCode::ProcessFailed);
    QVERIFY(replies[0].error().message.find("/no/such/program") != std::string::npos);
}

void TestChannel::brokenProcessesEndEveryRequest_data()
{
    QTest::addColumn<QString>("mode");
    for (const char *mode : {"crash", "chatter", "newer", "oversized", "garbage"})
        QTest::newRow(mode) << mode;
}

void TestChannel::brokenProcessesEndEveryRequest()
{
    QFETCH(QString, mode);
    ProcessChannel channel(fakeProgram(mode));
    QSignalSpy ended(&channel, &ProcessChannel::endedUnexpectedly);
    Replies replies;
    channel.send("echo", Json::object(), into(replies));
    channel.send("echo", Json::object(), into(replies));
    QTRY_COMPARE(replies.size(), std::size_t(2));
    for (const Result<Json> &reply : replies)
        QCOMPARE(reply.error().code, ErrorCode::ProcessFailed);
    QCOMPARE(ended.count(), 1);
    QCOMPARE(channel.state(), ProcessChannel::State::Stopped);
}

void TestChannel::aProcessIsStartedAnewAfterACrash()
{
    const QTemporaryDir folder;
    ProcessChannel channel(fakeProgram("crash_once", {folder.filePath("crashed")}));
    Replies replies;
    channel.send("echo", Json::object(), into(replies));
    QTRY_COMPARE(replies.size(), std::size_t(1));
    QVERIFY(!replies[0].has_value());
    channel.send("echo", {{"second", true}}, into(replies));
    QTRY_COMPARE(replies.size(), std::size_t(2));
    QVERIFY(replies[1]->at("echo") == Json({{"second", true}}));
}

void TestChannel::aKilledProcessEndsEveryRequest()
{
    ProcessChannel channel(fakeProgram("hang"));
    Replies replies;
    channel.send("echo", Json::object(), into(replies));
    QTRY_COMPARE(channel.state(), ProcessChannel::State::Ready);
    ::kill(static_cast<pid_t>(channel.processId()), SIGKILL);
    QTRY_COMPARE(replies.size(), std::size_t(1));
    QCOMPARE(replies[0].error().code, ErrorCode::ProcessFailed);
}

void TestChannel::aProcessThatDiedIdleIsReplaced()
{
    ProcessProgram program = fakeProgram("well");
    program.isStateless = true;
    ProcessChannel channel(program);
    Replies replies;
    channel.send("echo", Json::object(), into(replies));
    QTRY_COMPARE(replies.size(), std::size_t(1));
    const QSignalSpy ended(&channel, &ProcessChannel::endedUnexpectedly);
    ::kill(static_cast<pid_t>(channel.processId()), SIGKILL);
    channel.send("echo", {{"number", 2}}, into(replies)); // before the event loop can notice
    QTRY_COMPARE(replies.size(), std::size_t(2));
    QVERIFY2(replies[1], replies[1] ? "" : replies[1].error().message.c_str());
    QCOMPARE(replies[1]->at("echo").at("number").get<int>(), 2);
    QCOMPARE(ended.size(), 0);
}

void TestChannel::aSecondReplyIsDropped()
{
    ProcessChannel channel(fakeProgram("twice"));
    Replies replies;
    channel.send("echo", {{"number", 1}}, into(replies));
    channel.send("echo", {{"number", 2}}, into(replies));
    channel.send("refuse", Json::object(), into(replies)); // answered last: the doubles came before
    QTRY_COMPARE(replies.size(), std::size_t(3));
    QVERIFY(replies[1]->at("echo") == Json({{"number", 2}}));
}

void TestChannel::anAbandonedRequestIsSilent()
{
    ProcessChannel channel(fakeProgram("well"));
    Replies silent;
    Replies replies;
    channel.abandon(channel.send("echo", Json::object(), into(silent)));
    channel.send("echo", Json::object(), into(replies));
    QTRY_COMPARE(replies.size(), std::size_t(1));
    QVERIFY(silent.empty());
}

void TestChannel::stopEndsAHangingProcess()
{
    ProcessChannel channel(fakeProgram("hang"));
    QSignalSpy unexpected(&channel, &ProcessChannel::endedUnexpectedly);
    Replies replies;
    channel.send("echo", Json::object(), into(replies));
    QTRY_COMPARE(channel.state(), ProcessChannel::State::Ready);
    channel.stop();
    QTRY_COMPARE(channel.state(), ProcessChannel::State::Stopped);
    QCOMPARE(replies.at(0).error().code, ErrorCode::Cancelled);
    QVERIFY(unexpected.isEmpty());
}

void TestChannel::stopKillsADeafProcess()
{
    ProcessChannel channel(fakeProgram("deaf"));
    Replies replies;
    channel.send("echo", Json::object(), into(replies));
    QTRY_COMPARE(replies.size(), std::size_t(1));
    const qint64 processId = channel.processId();
    channel.stop();
    QTRY_COMPARE_WITH_TIMEOUT(channel.state(), ProcessChannel::State::Stopped, 10000);
    QTRY_VERIFY(!isAlive(processId));
}

void TestChannel::destructionLeavesNoProcess()
{
    auto channel = std::make_unique<ProcessChannel>(fakeProgram("hang"));
    Replies replies;
    channel->send("echo", Json::object(), into(replies));
    QTRY_COMPARE(channel->state(), ProcessChannel::State::Ready);
    const qint64 processId = channel->processId();
    channel.reset();
    QVERIFY(replies.empty());
    QTRY_VERIFY(!isAlive(processId));
}

void TestChannel::aHandlerMayDeleteTheChannel()
{
    auto channel = std::make_unique<ProcessChannel>(fakeProgram("well"));
    int numReplies = 0;
    for (int i = 0; i < 5; ++i) {
        channel->send("echo", Json::object(), [&](const Result<Json> &) {
            ++numReplies;
            channel.reset();
        });
    }
    QTRY_VERIFY(!channel);
    QCoreApplication::processEvents();
    QCOMPARE(numReplies, 1);
}
