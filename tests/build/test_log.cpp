// Compilers' messages on the candidate's own lines.
#include "core/build/buildlog.h"

#include <QRegularExpression>
#include <QTest>

using namespace dice;
using namespace dice::build;

namespace {

BuildRequest request()
{
    return makeInlineRequest("x", {"cpp"}, {"cuda"});
}

} // namespace

class LogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void gnuMessage();
    void nvrtcMessage();
    void linkerMessage();
    void missingFunctionNamesItsPlace();
    void headerNoiseIsLeftOut();
    void ownNamesAreShown();
    void hostileLog_data();
    void hostileLog();
    void conclusive_data();
    void conclusive();
    void shortLog();
};

void LogTest::gnuMessage()
{
    const auto messages = parseBuildLog("cuda_source_0.cu: In function 'void k()':\n"
                                        "cuda_source_0.cu:12:7: warning: unused\n"
                                        "cuda_source_0.cu:9:7: error: expected ';' before 'y'\n",
                                        request());
    QCOMPARE(messages.size(), std::size_t(2));
    QVERIFY(messages[0].severity == Severity::Error);
    QCOMPARE(messages[0].line, 9);
    QCOMPARE(messages[0].source, std::string("cuda_source_0.cu"));
    QCOMPARE(messages[0].text, std::string("expected ';' before 'y'"));
    QCOMPARE(messages[1].line, 12);
}

void LogTest::nvrtcMessage()
{
    const auto messages = parseBuildLog("cuda_source_0.cu(4): error: identifier \"foo\" is undefined\n", request());
    QCOMPARE(messages.size(), std::size_t(1));
    QCOMPARE(messages[0].line, 4);
}

void LogTest::linkerMessage()
{
    const auto messages
        = parseBuildLog("/usr/bin/ld: main.o: in function `f':\nmain.cpp:(.text+0x1): undefined reference "
                        "to `scale(at::Tensor)'\n",
                        request());
    QCOMPARE(messages.size(), std::size_t(1));
    QCOMPARE(messages[0].text, std::string("undefined reference to `scale(at::Tensor)'"));
}

void LogTest::missingFunctionNamesItsPlace()
{
    const auto messages = parseBuildLog("functions:2:10: error: 'go' was not declared in this scope\n", request());
    QCOMPARE(messages.at(0).text, std::string("'go' was not declared in this scope (named in functions=)"));
    QCOMPARE(messages.at(0).line, 0);
}

void LogTest::headerNoiseIsLeftOut()
{
    const auto messages
        = parseBuildLog("include/dice/launch.h:10:1: note: here\ninclude/dice/launch.h:11:1: warning: w\n", request());
    QVERIFY(messages.empty());
}

void LogTest::ownNamesAreShown()
{
    const auto messages = parseBuildLog("cuda_source_0.cu:1:1: error: 'dice_shared_tile' is odd\n", request());
    QCOMPARE(messages.at(0).text, std::string("'tile' is odd"));
}

void LogTest::hostileLog_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("number") << QByteArray("cuda_source_0.cu:99999999999999999999:1: error: x\n");
    QTest::newRow("bytes") << QByteArray("cuda_source_0.cu:1:1: error: \xff\xfe\x80 x\n");
    QTest::newRow("long line") << QByteArray(3000000, 'a');
    QTest::newRow("many") << QByteArray("cuda_source_0.cu:1:1: error: x\n").repeated(20000);
}

void LogTest::hostileLog()
{
    QFETCH(QByteArray, log);
    const auto messages = parseBuildLog(log.toStdString(), request());
    QVERIFY(messages.size() <= 50);
    for (const LogMessage &message : messages) {
        const QByteArray text = QByteArray::fromStdString(message.text);
        QCOMPARE(QString::fromUtf8(text).toUtf8(), text);
        QVERIFY(message.line >= 0);
    }
}

void LogTest::conclusive_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<bool>("isConclusive");
    QTest::newRow("syntax") << QByteArray("cuda_source_0.cu:9:7: error: expected ';' before 'y'\n") << true;
    QTest::newRow("undeclared") << QByteArray("cuda_source_0.cu:9:7: error: 'scael' was not declared in this scope\n")
                                << true;
    QTest::newRow("bound") << QByteArray("functions:2:10: error: 'go' was not declared in this scope\n") << true;
    QTest::newRow("macro") << QByteArray(
        "cuda_source_0.cu:9:7: error: 'AT_DISPATCH_V2' was not declared in this scope\n")
                           << false;
    QTest::newRow("library") << QByteArray("cuda_source_0.cu:9:7: error: 'einsum' is not a member of 'torch'\n")
                             << false;
    QTest::newRow("header") << QByteArray(
        "cuda_source_0.cu:1:10: fatal error: ATen/native/x.h: No such file or directory\n")
                            << false;
    QTest::newRow("mixed") << QByteArray("cuda_source_0.cu:9:7: error: 'einsum' is not a member of 'torch'\n"
                                         "cuda_source_0.cu:9:9: error: expected ';' before 'y'\n")
                           << false;
    QTest::newRow("nothing") << QByteArray("killed\n") << false;
}

void LogTest::conclusive()
{
    QFETCH(QByteArray, log);
    QFETCH(bool, isConclusive);
    QCOMPARE(isConclusiveFailure(parseBuildLog(log.toStdString(), request()), request()), isConclusive);
}

void LogTest::shortLog()
{
    QCOMPARE(shortenLog("In file included from a.h:1,\n                 from b.h:2:\nx: error\nyy\n", 12),
             std::string("x: error\nyy\n"));
    QCOMPARE(shortenLog("x: error\nyy\n", 10), std::string("x: error\n"));
}

QTEST_GUILESS_MAIN(LogTest)
#include "test_log.moc"
