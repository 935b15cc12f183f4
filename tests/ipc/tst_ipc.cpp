// Frames in any portions, and what a broken or hostile stream does: an Error, once and for all.
#include "core/ipc/envelope.h"
#include "core/ipc/framecodec.h"

#include <QTest>

#include <random>

using namespace dice;
using namespace dice::ipc;

namespace {

std::vector<std::string> drain(FrameDecoder &decoder)
{
    std::vector<std::string> frames;
    for (Result<std::optional<std::string>> next = decoder.next(); next && *next; next = decoder.next())
        frames.push_back(**next);
    return frames;
}

} // namespace

class TestIpc : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

    void aFrameIsItsLengthAndItsBytes()
    {
        QCOMPARE(encodeFrame("ab"),
                 std::string("\x02\x00\x00\x00"
                             "ab",
                             6));
        QCOMPARE(encodeFrame(std::string(300, 'x')).substr(0, 4), std::string("\x2c\x01\x00\x00", 4));
    }

    void framesSplitAtEveryByte()
    {
        const std::vector<std::string> bodies{"{}", "", std::string(700, 'z'), std::string("\0\xff", 2)};
        std::string stream;
        for (const std::string &body : bodies)
            stream += encodeFrame(body);
        for (std::size_t split = 0; split <= stream.size(); ++split) {
            FrameDecoder decoder;
            decoder.append(stream.substr(0, split));
            std::vector<std::string> frames = drain(decoder);
            decoder.append(stream.substr(split));
            for (std::string &frame : drain(decoder))
                frames.push_back(std::move(frame));
            QCOMPARE(frames, bodies);
            QVERIFY(!decoder.hasPartialFrame());
        }
    }

    void framesByteForByte()
    {
        FrameDecoder decoder;
        std::vector<std::string> frames;
        for (const char byte : encodeFrame("first") + encodeFrame("second")) {
            decoder.append({&byte, 1});
            for (std::string &frame : drain(decoder))
                frames.push_back(std::move(frame));
        }
        QCOMPARE(frames, (std::vector<std::string>{"first", "second"}));
    }

    void aStreamThatEndsInsideAFrameIsSeen()
    {
        const std::string frame = encodeFrame("body");
        for (std::size_t length = 1; length < frame.size(); ++length) {
            FrameDecoder decoder;
            decoder.append(frame.substr(0, length));
            QVERIFY(drain(decoder).empty());
            QVERIFY(decoder.hasPartialFrame());
        }
    }

    void aLengthOverTheCapEndsTheStream()
    {
        FrameDecoder decoder(100);
        decoder.append(encodeFrame(std::string(100, 'a')));
        QCOMPARE(drain(decoder).size(), std::size_t(1));
        decoder.append(encodeFrame(std::string(101, 'b')));
        QCOMPARE(decoder.next().error().code, ErrorCode::InvalidData);
        decoder.append(encodeFrame("good again"));
        QCOMPARE(decoder.next().error().code, ErrorCode::InvalidData);
    }

    void chatterOnTheStreamIsNoFrame()
    {
        FrameDecoder decoder;
        decoder.append("Traceback (most recent call last):\n");
        QVERIFY(!decoder.next().has_value());
    }

    void envelopesComeBackEqual()
    {
        const std::vector<Envelope> all{
            makeHello("dice-engine", {{"devices", {"cpu"}}}),
            makeRequest(RequestId(7), "engine.generate", {{"prompt", "x"}}),
            makeEvent(RequestId(7), "canvas.step", {{"step", 1}}),
            makeReply(RequestId(7), {{"text", "y"}}),
            makeErrorReply(RequestId(8), makeError(ErrorCode::NotFound, "no file", "errno 2")),
            makeCancel(RequestId(9)),
        };
        for (const Envelope &envelope : all)
            QCOMPARE(decode(encode(envelope)).value(), envelope);
    }

    void anErrorCrossesTheBorder()
    {
        const Error error = makeError(ErrorCode::Unsupported, "a sentence", "detail");
        QCOMPARE(errorOf(decode(encode(makeErrorReply(RequestId(1), error))).value()), error);
        QCOMPARE(errorOf(makeReply(RequestId(1), Json::object())).code, ErrorCode::Internal);
    }

    void textThatIsNoUtf8IsReplaced()
    {
        const std::string body = encode(makeReply(RequestId(1), {{"log", "error: \xff\xfe"}}));
        QCOMPARE(decode(body)->payload.at("log").get<std::string>(), "error: \xef\xbf\xbd\xef\xbf\xbd");
    }

    void brokenEnvelopesAreErrors_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("half") << QByteArray("{\"type\":");
        QTest::newRow("list") << QByteArray("[1]");
        QTest::newRow("no type") << QByteArray(R"({"id":1,"payload":{}})");
        QTest::newRow("unknown type") << QByteArray(R"({"type":"shout","id":1,"payload":{}})");
        QTest::newRow("negative id") << QByteArray(R"({"type":"reply","id":"x","payload":{}})");
        QTest::newRow("payload no object") << QByteArray(R"({"type":"reply","id":1,"payload":[]})");
        QTest::newRow("event without name") << QByteArray(R"({"type":"event","id":1,"payload":{}})");
        QTest::newRow("no utf-8") << QByteArray("{\"type\":\"reply\",\"id\":1,\"payload\":{\"a\":\"\xff\"}}");
    }

    void brokenEnvelopesAreErrors()
    {
        QFETCH(QByteArray, body);
        QVERIFY(!decode(body.toStdString()).has_value());
    }

    void damagedBytesNeverThrow()
    {
        const std::string good = encode(makeRequest(RequestId(3), "verify", {{"list", {1, 2.5, "x"}}}));
        std::mt19937 random(5);
        for (int round = 0; round < 5000; ++round) {
            std::string body = good;
            for (int change = 0; change < 3; ++change)
                body[random() % body.size()] = static_cast<char>(random());
            const Result<Envelope> envelope = decode(body);
            if (envelope)
                QCOMPARE(decode(encode(*envelope)).value(), *envelope);
        }
    }

    void otherVersionsAreRefused()
    {
        QVERIFY(checkHello(makeHello("dice-engine")).has_value());
        Envelope newer = makeHello("dice-engine");
        newer.payload["protocol"] = protocolVersion + 1;
        QVERIFY(!checkHello(newer).has_value());
        newer.payload.erase("protocol");
        QVERIFY(!checkHello(newer).has_value());
        QVERIFY(!checkHello(makeReply(RequestId(1), Json::object())).has_value());
    }
};

QTEST_APPLESS_MAIN(TestIpc)
#include "tst_ipc.moc"
