// What follows when a worker misbehaves: every case ends in a named failure, in time, with nothing left running.
#include "core/evaluate/workerclient.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

using namespace dice::evaluate;
using dice::ErrorCode;
using dice::Json;
using dice::Result;

namespace {

// Speaks the protocol just well enough to break it. `frame(text)` writes one frame.
constexpr const char *preamble = R"(
import os, struct, sys, time, json
out = os.dup(1)
def frame(text, cut=None):
    data = struct.pack('<I', len(text)) + text.encode()
    os.write(out, data[:cut])
def hello():
    frame(json.dumps({"type": "hello", "id": 0, "payload": {"protocol": 1, "process": "fake", "capabilities": {}}}))
def request():
    size = struct.unpack('<I', sys.stdin.buffer.read(4))[0]
    return json.loads(sys.stdin.buffer.read(size))
def reply(id, payload):
    frame(json.dumps({"type": "reply", "id": id, "payload": payload}))
)";

std::unique_ptr<WorkerClient> startFake(const std::string &script)
{
    BoxOptions options;
    options.arenaBytes = 1 << 16;
    auto box = Box::startProgram({"/usr/bin/python3", "-c", std::string(preamble) + script}, {}, {}, options);
    return box ? std::make_unique<WorkerClient>(std::move(*box)) : nullptr;
}

Result<Json> ask(WorkerClient &client, double limitSeconds = 5.0)
{
    return client.call("question", {{"text", "hello"}}, {limitSeconds, {}, {}});
}

int numChildren()
{
    std::ostringstream path;
    path << "/proc/self/task/" << ::getpid() << "/children";
    std::ifstream file(path.str());
    int count = 0;
    for (int process = 0; file >> process;)
        ++count;
    return count;
}

} // namespace

class TestWorkerClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void cleanup() { QCOMPARE(numChildren(), 0); }

    void answers();
    void byteByByte();
    void lateReplyIsDropped();
    void eventIsAnswered();
    void failures_data();
    void failures();
    void cancelEndsQuickly();
    void largeRequestToADeafWorker();
    void errorOutputIsCutAndKept();
};

void TestWorkerClient::answers()
{
    auto client = startFake("hello(); r = request(); reply(r['id'], {'seen': r['payload']['text']}); time.sleep(60)");
    QVERIFY(client->awaitHello(5.0, {}));
    const Result<Json> answer = ask(*client);
    QVERIFY(answer);
    QCOMPARE(answer->at("seen").get<std::string>(), std::string("hello"));
}

void TestWorkerClient::byteByByte()
{
    auto client = startFake(R"(
hello(); r = request()
text = json.dumps({"type": "reply", "id": r['id'], "payload": {"n": 7}})
for byte in struct.pack('<I', len(text)) + text.encode():
    os.write(out, bytes([byte])); time.sleep(0.001)
time.sleep(60))");
    QVERIFY(client->awaitHello(5.0, {}));
    QCOMPARE(ask(*client)->at("n").get<int>(), 7);
}

void TestWorkerClient::lateReplyIsDropped()
{
    auto client
        = startFake("hello(); r = request(); reply(r['id'] + 999, {'n': 1}); reply(r['id'], {'n': 2}); time.sleep(60)");
    QVERIFY(client->awaitHello(5.0, {}));
    QCOMPARE(ask(*client)->at("n").get<int>(), 2);
}

void TestWorkerClient::eventIsAnswered()
{
    auto client = startFake(R"(
hello(); r = request()
frame(json.dumps({"type": "event", "id": r['id'], "name": "build", "payload": {"k": 1}}))
answer = request()
reply(r['id'], {"name": answer['name'], "got": answer['payload']['v']}); time.sleep(60))");
    QVERIFY(client->awaitHello(5.0, {}));
    // The worker's limit does not run while the judge is at work for it.
    const auto slow = [](const Json &payload) {
        QTest::qSleep(1500);
        return Json{{"v", payload.at("k").get<int>() + 1}};
    };
    const Result<Json> answer = client->call("question", Json::object(), {1.0, {}, slow});
    QVERIFY(answer);
    QCOMPARE(answer->at("name").get<std::string>(), std::string("build.result"));
    QCOMPARE(answer->at("got").get<int>(), 2);
}

void TestWorkerClient::failures_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("sentence");
    const int failed = static_cast<int>(ErrorCode::ProcessFailed);
    const int forged = static_cast<int>(ErrorCode::InvalidData);
    const int timeout = static_cast<int>(ErrorCode::Timeout);
    QTest::newRow("crash") << "os.kill(os.getpid(), 11)" << failed << "signal 11";
    QTest::newRow("crash in mid-frame") << "frame('x' * 100, 30); os.kill(os.getpid(), 6)" << failed << "signal 6";
    QTest::newRow("exit 0") << "os._exit(0)" << failed << "ended by itself with status 0";
    QTest::newRow("hang") << "time.sleep(60)" << timeout << "no answer";
    QTest::newRow("half a frame, then hang") << "frame('x' * 100, 30); time.sleep(60)" << timeout << "no answer";
    QTest::newRow("text on the pipe") << "os.write(out, b'PASS correct 1.0\\n' * 10); time.sleep(60)" << forged
                                      << "something else than messages";
    QTest::newRow("no JSON") << "frame('not json'); time.sleep(60)" << forged << "broken message";
    QTest::newRow("invalid UTF-8") << "os.write(out, struct.pack('<I', 3) + b'\\xff\\xfe\\xfd'); time.sleep(60)"
                                   << forged << "broken message";
    QTest::newRow("a frame of 4 GiB") << "os.write(out, b'\\xff\\xff\\xff\\xff'); time.sleep(60)" << forged
                                      << "something else than messages";
    QTest::newRow("chatter without end") << "exec('while True: reply(10**6, {})')" << failed << "without end";
    QTest::newRow("closed pipe") << "os.close(out); os.close(1); time.sleep(60)" << failed << "closed its pipe";
}

void TestWorkerClient::failures()
{
    QFETCH(QString, script);
    QFETCH(int, code);
    QFETCH(QString, sentence);
    auto client = startFake("hello(); r = request(); " + script.toStdString());
    QVERIFY(client->awaitHello(5.0, {}));
    QElapsedTimer timer;
    timer.start();
    const Result<Json> answer = ask(*client, 1.0);
    QVERIFY(!answer);
    QCOMPARE(static_cast<int>(answer.error().code), code);
    QVERIFY2(answer.error().message.find(sentence.toStdString()) != std::string::npos, answer.error().message.c_str());
    QVERIFY(timer.elapsed() < 6000);
    QVERIFY(!ask(*client)); // and stays so
}

void TestWorkerClient::cancelEndsQuickly()
{
    auto client = startFake("hello(); request(); time.sleep(60)");
    const dice::CancelToken cancel;
    QVERIFY(client->awaitHello(5.0, cancel));
    std::thread canceller([&] {
        QTest::qSleep(200);
        cancel.cancel();
    });
    QElapsedTimer timer;
    timer.start();
    const Result<Json> answer = client->call("question", Json::object(), {30.0, cancel, {}});
    canceller.join();
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::Cancelled);
    QVERIFY(timer.elapsed() < 2000);
}

void TestWorkerClient::largeRequestToADeafWorker()
{
    auto client = startFake("hello(); time.sleep(60)");
    QVERIFY(client->awaitHello(5.0, {}));
    const Result<Json> answer = client->call("question", {{"text", std::string(4 << 20, 'x')}}, {1.0, {}, {}});
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::Timeout);
}

void TestWorkerClient::errorOutputIsCutAndKept()
{
    auto client = startFake("hello(); r = request(); os.write(2, b'x' * 1000000 + b'THE END'); os._exit(3)");
    QVERIFY(client->awaitHello(5.0, {}));
    QVERIFY(!ask(*client));
    const std::string &seen = client->box().errorOutput();
    QVERIFY(seen.size() <= (64u << 10));
    QVERIFY(seen.ends_with("THE END"));
}

QTEST_GUILESS_MAIN(TestWorkerClient)
#include "test_workerclient.moc"
