// dice-evaluator as a process: answers over its pipe, cancels, and leaves nothing behind however it ends.
#include "core/data/verdict.h"
#include "core/ipc/envelope.h"
#include "core/ipc/framecodec.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <optional>
#include <random>

using dice::Json;
using dice::RequestId;
namespace ipc = dice::ipc;

namespace {

constexpr const char *reference = R"(
import torch
import torch.nn as nn

N = 1003

class Model(nn.Module):
    def forward(self, x):
        return x * 3.0 - 1.0

def get_inputs():
    return [torch.randn(N)]

def get_init_inputs():
    return []
)";

std::string candidate(const std::string &body)
{
    return R"(
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline
src = """
#include <torch/extension.h>
__global__ void affine(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) )"
        + body + R"(
}
torch::Tensor run(torch::Tensor x) {
    auto y = torch::empty_like(x);
    affine<<<(x.numel() + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}
"""
ext = load_inline(name="affine", cpp_sources="torch::Tensor run(torch::Tensor x);", cuda_sources=src, functions=["run"])

class ModelNew(nn.Module):
    def forward(self, x):
        return ext.run(x)
)";
}

// One started evaluator and its pipe.
class Evaluator
{
public:
    explicit Evaluator(const QString &folder)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_RUNTIME_DIR", folder);
        environment.insert("XDG_CACHE_HOME", folder + "/cache");
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral(DICE_PROGRAM_FOLDER "/dice-evaluator"), {});
    }

    ~Evaluator()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished(20000);
    }

    QProcess &process() { return m_process; }

    void send(const ipc::Envelope &envelope)
    {
        const std::string frame = ipc::encodeFrame(ipc::encode(envelope));
        m_process.write(frame.data(), static_cast<qint64>(frame.size()));
        m_process.waitForBytesWritten(5000);
    }

    void verify(int id, const std::string &text)
    {
        const Json module{{"text", reference}, {"name", "reference.py"}};
        send(ipc::makeRequest(RequestId(static_cast<std::uint64_t>(id)), "verify",
                              {{"reference", module},
                               {"candidate", {{"text", text}, {"name", "candidate.py"}}},
                               {"device", "cpu"},
                               {"protocol", "strict"},
                               {"num_trials", 5},
                               {"headers", "fastest"}}));
    }

    std::optional<ipc::Envelope> receive(int milliseconds)
    {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < milliseconds) {
            const auto frame = m_decoder.next();
            if (!frame)
                return std::nullopt;
            if (*frame)
                return *ipc::decode(**frame);
            m_process.waitForReadyRead(50);
            m_decoder.append(m_process.readAllStandardOutput().toStdString());
        }
        return std::nullopt;
    }

    // The reply or error that ends a request.
    std::optional<ipc::Envelope> ending(int id, int milliseconds)
    {
        while (auto envelope = receive(milliseconds))
            if (envelope->id.value == static_cast<std::uint64_t>(id) && envelope->type != ipc::MessageType::Event)
                return envelope;
        return std::nullopt;
    }

private:
    QProcess m_process;
    ipc::FrameDecoder m_decoder;
};

int numBoxes(const QString &folder)
{
    int count = 0;
    for (const QString &process : QDir("/proc").entryList(QDir::Dirs)) {
        QFile environment("/proc/" + process + "/environ");
        QFile commandLine("/proc/" + process + "/cmdline");
        if (!environment.open(QIODevice::ReadOnly) || !commandLine.open(QIODevice::ReadOnly))
            continue;
        // bubblewrap keeps the environment of who started it; the worker's own is cleared, but it is its child.
        if (environment.readAll().contains(folder.toUtf8()) && commandLine.readAll().contains("dice-worker"))
            ++count;
    }
    return count;
}

QStringList runtimeFolders(const QString &folder)
{
    return QDir(folder).entryList({"dice-evaluator-*"}, QDir::Dirs);
}

} // namespace

class TestEvaluatorProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void initTestCase() { QVERIFY(m_folder.isValid()); }
    void sandboxSaysWhatWorks();
    void prepareNormalises();
    void verdictsOverThePipe();
    void badReferenceIsASentence();
    void cancelEndsQuickly();
    void closedStdinLeavesNothing();
    void killedLeavesNothing();
    void garbageOnStdinEndsIt();

private:
    QTemporaryDir m_folder;
};

void TestEvaluatorProcess::sandboxSaysWhatWorks()
{
    Evaluator evaluator(m_folder.path());
    const auto hello = evaluator.receive(20000);
    QVERIFY(hello && ipc::checkHello(*hello));
    evaluator.send(ipc::makeRequest(RequestId(1), "sandbox", Json::object()));
    const auto reply = evaluator.ending(1, 20000);
    QVERIFY(reply && reply->type == ipc::MessageType::Reply);
    QCOMPARE(reply->payload.at("layers").size(), std::size_t(5));
    QVERIFY(!reply->payload.at("level").get<std::string>().empty());
}

void TestEvaluatorProcess::prepareNormalises()
{
    Evaluator evaluator(m_folder.path());
    evaluator.send(ipc::makeRequest(RequestId(1), "prepare", {{"text", reference}, {"name", "m.py"}}));
    evaluator.send(ipc::makeRequest(RequestId(2), "prepare", {{"text", "this is no Python ("}, {"name", "m.py"}}));
    std::map<std::uint64_t, Json> replies;
    while (replies.size() < 2) {
        const auto envelope = evaluator.receive(60000);
        QVERIFY(envelope);
        if (envelope->type == ipc::MessageType::Reply)
            replies[envelope->id.value] = envelope->payload;
    }
    QVERIFY(replies[1].at("problems").empty());
    QVERIFY(!replies[1].at("normalised_text").get<std::string>().empty());
    QVERIFY(!replies[2].at("problems").empty());
}

void TestEvaluatorProcess::verdictsOverThePipe()
{
    Evaluator evaluator(m_folder.path());
    evaluator.verify(1, candidate("y[i] = x[i] * 3.0f - 1.0f;"));
    evaluator.verify(2, candidate("y[i] = x[i] * 3.0f;"));
    evaluator.verify(3, candidate("y[i] = x[i] * 3.0f - ;"));
    std::map<std::uint64_t, Json> replies;
    while (replies.size() < 3) {
        const auto envelope = evaluator.receive(120000);
        QVERIFY(envelope);
        if (envelope->type == ipc::MessageType::Reply)
            replies[envelope->id.value] = envelope->payload;
    }
    QCOMPARE(replies[1].at("word").get<std::string>(), std::string("correct"));
    QCOMPARE(replies[2].at("word").get<std::string>(), std::string("incorrect"));
    QCOMPARE(replies[3].at("word").get<std::string>(), std::string("compile_error"));
    QCOMPARE(replies[3].at("line").get<int>(), 9); // the statement's line in the candidate's file
    const auto verdict = dice::verdictFromJson(replies[1]);
    QVERIFY(verdict);
    QCOMPARE(verdict->trials.size(), std::size_t(5));
    QCOMPARE(verdict->launches.front().kernel, std::string("affine"));
}

void TestEvaluatorProcess::badReferenceIsASentence()
{
    Evaluator evaluator(m_folder.path());
    evaluator.send(
        ipc::makeRequest(RequestId(1), "verify",
                         {{"reference", {{"text", "import torch\nraise ValueError('no')\n"}, {"name", "r.py"}}},
                          {"candidate", {{"text", candidate("y[i] = x[i];")}, {"name", "c.py"}}},
                          {"device", "cpu"},
                          {"protocol", "strict"},
                          {"num_trials", 5},
                          {"headers", "fastest"}}));
    const auto ended = evaluator.ending(1, 120000);
    QVERIFY(ended && ended->type == ipc::MessageType::Error);
    QCOMPARE(ipc::errorOf(*ended).code, dice::ErrorCode::InvalidArgument);
}

void TestEvaluatorProcess::cancelEndsQuickly()
{
    Evaluator evaluator(m_folder.path());
    evaluator.verify(1, candidate("while (x[0] == x[0]) { }"));
    while (const auto event = evaluator.receive(60000))
        if (event->type == ipc::MessageType::Event && event->payload.at("stage") == "trials")
            break;
    QElapsedTimer timer;
    timer.start();
    evaluator.send(ipc::makeCancel(RequestId(1)));
    const auto ended = evaluator.ending(1, 10000);
    QVERIFY(ended && ended->type == ipc::MessageType::Error);
    QCOMPARE(ipc::errorOf(*ended).code, dice::ErrorCode::Cancelled);
    QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
}

void TestEvaluatorProcess::closedStdinLeavesNothing()
{
    Evaluator evaluator(m_folder.path());
    QVERIFY(evaluator.receive(20000));
    evaluator.verify(1, candidate("while (x[0] == x[0]) { }"));
    QTest::qWait(1000);
    evaluator.process().closeWriteChannel();
    QVERIFY(evaluator.process().waitForFinished(10000));
    QCOMPARE(evaluator.process().exitCode(), 0);
    QCOMPARE(numBoxes(m_folder.path()), 0);
    QCOMPARE(runtimeFolders(m_folder.path()), QStringList());
}

void TestEvaluatorProcess::killedLeavesNothing()
{
    std::mt19937 random(7);
    for (int round = 0; round < 5; ++round) {
        Evaluator evaluator(m_folder.path());
        QVERIFY(evaluator.receive(20000));
        evaluator.verify(1, candidate("y[i] = x[i] * 3.0f - 1.0f;"));
        QTest::qWait(static_cast<int>(random() % 3000));
        evaluator.process().kill();
        QVERIFY(evaluator.process().waitForFinished(5000));
        QTRY_COMPARE_WITH_TIMEOUT(numBoxes(m_folder.path()), 0, 5000);
    }
    // The next one removes the folders of those before.
    Evaluator next(m_folder.path());
    QVERIFY(next.receive(20000));
    QCOMPARE(runtimeFolders(m_folder.path()).size(), 1);
    next.process().closeWriteChannel();
    QVERIFY(next.process().waitForFinished(10000));
}

void TestEvaluatorProcess::garbageOnStdinEndsIt()
{
    Evaluator evaluator(m_folder.path());
    QVERIFY(evaluator.receive(20000));
    evaluator.process().write("this is no frame at all, and far too long to be the length of one");
    QVERIFY(evaluator.process().waitForFinished(10000));
    QCOMPARE(numBoxes(m_folder.path()), 0);
}

QTEST_GUILESS_MAIN(TestEvaluatorProcess)
#include "test_evaluatorprocess.moc"
