// The real dice-engine over its pipes: whole and split frames, cancel, garbage, kill, a closed stream.
#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/data/modelinfo.h"
#include "core/engine/randommodel.h"
#include "core/ipc/envelope.h"
#include "core/ipc/framecodec.h"

#include <QtTest>

#include <QProcess>

using namespace dice;

namespace {

constexpr int patienceMs = 60000; // LibTorch from a cold disk on a busy machine

class Peer
{
public:
    Peer()
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral(DICE_ENGINE_PROGRAM), QStringList());
    }

    ~Peer()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(patienceMs))
            m_process.kill();
        m_process.waitForFinished();
    }

    QProcess &process() { return m_process; }

    void send(const ipc::Envelope &envelope) { sendBytes(frameOf(envelope)); }
    void sendBytes(const QByteArray &bytes)
    {
        m_process.write(bytes);
        while (m_process.bytesToWrite() > 0 && m_process.waitForBytesWritten(patienceMs)) { }
    }

    static QByteArray frameOf(const ipc::Envelope &envelope)
    {
        return QByteArray::fromStdString(ipc::encodeFrame(ipc::encode(envelope)));
    }

    // The next message; nothing when the process ended or time ran out.
    std::optional<ipc::Envelope> receive()
    {
        while (true) {
            const Result<std::optional<std::string>> frame = m_decoder.next();
            if (!frame)
                return std::nullopt;
            if (*frame)
                return ipc::decode(**frame).value();
            if (m_process.bytesAvailable() == 0 && !m_process.waitForReadyRead(patienceMs)
                && m_process.bytesAvailable() == 0)
                return std::nullopt;
            const QByteArray bytes = m_process.readAllStandardOutput();
            m_decoder.append({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        }
    }

    // Skips events up to the reply or error of `id`.
    std::optional<ipc::Envelope> receiveReply(std::uint64_t id, std::vector<ipc::Envelope> *events = nullptr)
    {
        while (std::optional<ipc::Envelope> message = receive()) {
            if (message->id == RequestId(id) && message->type != ipc::MessageType::Event)
                return message;
            if (events && message->type == ipc::MessageType::Event)
                events->push_back(*message);
        }
        return std::nullopt;
    }

    // Sends a request and waits for its answer.
    std::optional<ipc::Envelope> ask(const ipc::Envelope &request, std::vector<ipc::Envelope> *events = nullptr)
    {
        send(request);
        return receiveReply(request.id.value, events);
    }

    void shakeHands()
    {
        send(ipc::makeHello("test"));
        const std::optional<ipc::Envelope> hello = receive();
        QVERIFY(hello && ipc::checkHello(*hello));
    }

private:
    QProcess m_process;
    ipc::FrameDecoder m_decoder;
};

ipc::Envelope request(std::uint64_t id, const char *name, Json payload)
{
    return ipc::makeRequest(RequestId(id), name, std::move(payload));
}

Json generatePayload(int maxNewTokens)
{
    GenerateRequest generate;
    generate.prompt = "abc";
    generate.decoding.maxNewTokens = maxNewTokens;
    return toJson(generate);
}

} // namespace

class ProcessTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    Json loadPayload() const { return {{"folder", m_folder.path().toStdString()}, {"device", "cpu"}}; }

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void initTestCase()
    {
        formats::ModelConfig config = engine::tinyModelConfig();
        config.eosTokenIds = {271}; // a row without a token: the answer runs to its length limit
        QVERIFY(engine::makeRandomModel(m_folder.path().toStdString(), config, 5));
    }

    void loadsAndGenerates()
    {
        Peer peer;
        peer.shakeHands();
        const auto loaded = peer.ask(request(1, "engine.load", loadPayload()));
        QVERIFY(loaded && loaded->type == ipc::MessageType::Reply);
        const Result<ModelInfo> info = modelInfoFromJson(loaded->payload);
        QVERIFY(info);
        QCOMPARE(info->blockLength, 4);
        QCOMPARE(info->architecture, std::string("sdar"));

        std::vector<ipc::Envelope> events;
        const auto answer = peer.ask(request(2, "engine.generate", generatePayload(10)), &events);
        QVERIFY(answer && answer->type == ipc::MessageType::Reply);
        const Result<GenerateResult> result = generateResultFromJson(answer->payload);
        QVERIFY(result);
        QVERIFY(!events.empty());
        for (const ipc::Envelope &event : events) {
            QCOMPARE(event.name, std::string("canvas.step"));
            QVERIFY(canvasStepFromJson(event.payload));
        }
        QVERIFY(result->numForwards >= static_cast<int>(events.size()));
    }

    void framesMayComeByteByByte()
    {
        Peer peer;
        const QByteArray bytes = Peer::frameOf(ipc::makeHello("test"))
            + Peer::frameOf(request(7, "model.info", {{"folder", m_folder.path().toStdString()}}));
        for (const char byte : bytes)
            peer.sendBytes(QByteArray(1, byte));
        const auto reply = peer.receiveReply(7);
        QVERIFY(reply && reply->type == ipc::MessageType::Reply);
        QCOMPARE(reply->payload.at("num_layers").get<int>(), 2);
    }

    void makesPairsAndATokenizer()
    {
        const QTemporaryDir folder;
        Peer peer;
        peer.shakeHands();
        std::vector<ipc::Envelope> events;
        const auto reply = peer.ask(
            request(1, "data.synth", {{"folder", folder.path().toStdString()}, {"count", 2}, {"seed", 7}}), &events);
        QVERIFY(reply && reply->type == ipc::MessageType::Reply);
        QCOMPARE(events.size(), std::size_t(2));
        QCOMPARE(events.back().payload.at("done").get<int>(), 2);
        for (const char *file : {"task_00001/reference.py", "task_00002/answer.py", "tokenizer/tokenizer.json"})
            QVERIFY2(QFile::exists(folder.filePath(QString::fromLatin1(file))), file);
    }

    void cancelEndsAGeneration()
    {
        Peer peer;
        peer.shakeHands();
        QVERIFY(peer.ask(request(1, "engine.load", loadPayload())));
        peer.send(request(2, "engine.generate", generatePayload(3000)));
        const auto first = peer.receive();
        QVERIFY(first && first->type == ipc::MessageType::Event);
        peer.send(ipc::makeCancel(RequestId(2)));
        const auto answer = peer.receiveReply(2);
        QVERIFY(answer && answer->type == ipc::MessageType::Reply);
        QCOMPARE(generateResultFromJson(answer->payload)->stopReason, StopReason::Stopped);
        const auto next = peer.ask(request(3, "engine.generate", generatePayload(4)));
        QVERIFY(next && next->type == ipc::MessageType::Reply);
    }

    void badRequestsGetAnErrorAndTheProcessGoesOn()
    {
        Peer peer;
        peer.shakeHands();
        const std::vector<ipc::Envelope> bad{
            request(1, "engine.generate", generatePayload(4)), // nothing is loaded
            request(2, "engine.load", Json::object()),
            request(3, "engine.load", {{"folder", 5}}),
            request(4, "engine.load", {{"folder", m_folder.filePath("absent").toStdString()}}),
            request(5, "engine.fly", Json::object()),
            request(6, "model.parity", {{"folder", m_folder.path().toStdString()}}),
            request(7, "model.info", {{"folder", "/dev/null"}}),
        };
        for (const ipc::Envelope &envelope : bad) {
            const auto reply = peer.ask(envelope);
            QVERIFY(reply);
            QCOMPARE(reply->type, ipc::MessageType::Error);
            QVERIFY(ipc::errorOf(*reply).message.size() > 10);
            QVERIFY(ipc::errorOf(*reply).code != ErrorCode::Internal);
        }
        const auto reply = peer.ask(request(20, "model.info", {{"folder", m_folder.path().toStdString()}}));
        QVERIFY(reply && reply->type == ipc::MessageType::Reply);
    }

    void garbageEndsTheProcessWithAnError_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("text") << QByteArray("GET / HTTP/1.1\r\n\r\n");
        QTest::newRow("no JSON") << QByteArray::fromStdString(ipc::encodeFrame("{\"type\": "));
        QTest::newRow("no hello") << Peer::frameOf(request(1, "model.info", Json::object()));
        QTest::newRow("other protocol") << QByteArray::fromStdString(
            ipc::encodeFrame(R"({"type":"hello","id":0,"payload":{"protocol":99}})"));
    }

    void garbageEndsTheProcessWithAnError()
    {
        QFETCH(QByteArray, bytes);
        Peer peer;
        peer.sendBytes(bytes);
        const auto hello = peer.receive();
        QVERIFY(hello && hello->type == ipc::MessageType::Hello);
        const auto error = peer.receive();
        QVERIFY(error && error->type == ipc::MessageType::Error);
        QVERIFY(peer.process().state() == QProcess::NotRunning || peer.process().waitForFinished(patienceMs));
        QCOMPARE(peer.process().exitStatus(), QProcess::NormalExit);
        QCOMPARE(peer.process().exitCode(), 1);
    }

    void aClosedStreamEndsTheProcess()
    {
        Peer peer;
        peer.shakeHands();
        QVERIFY(peer.ask(request(1, "engine.load", loadPayload())));
        peer.send(request(2, "engine.generate", generatePayload(3000)));
        QVERIFY(peer.receive());
        peer.process().closeWriteChannel();
        QVERIFY(peer.process().waitForFinished(patienceMs));
        QCOMPARE(peer.process().exitStatus(), QProcess::NormalExit);
        QCOMPARE(peer.process().exitCode(), 0);
    }

    void aKilledProcessLeavesNoHalfMessageBehind()
    {
        Peer peer;
        peer.shakeHands();
        QVERIFY(peer.ask(request(1, "engine.load", loadPayload())));
        peer.send(request(2, "engine.generate", generatePayload(3000)));
        QVERIFY(peer.receive());
        peer.process().kill();
        QVERIFY(peer.process().waitForFinished(patienceMs));
        while (const auto message = peer.receive()) // what did arrive is whole
            QVERIFY(message->type == ipc::MessageType::Event);
    }
};

QTEST_GUILESS_MAIN(ProcessTest)
#include "tst_process.moc"
