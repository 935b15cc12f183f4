// Every stored reference output, when the shared fixtures are there.
#include "core/engine/parity/parity.h"

#include <QtTest>

using namespace dice;
using namespace dice::engine;

namespace {

QString fixtureFolder(const QString &name)
{
    QString shared = qEnvironmentVariable("DICE_SHARED");
    if (shared.isEmpty())
        shared = QStringLiteral(DICE_SOURCE_DIR "/../shared");
    return shared + QStringLiteral("/fixtures/") + name;
}

} // namespace

class ParityTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void everyCheckPasses_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("minNumChecks");
        QTest::newRow("sdar") << "models/sdar" << 140;
        QTest::newRow("sdar-sharded") << "models/sdar-sharded" << 6;
        QTest::newRow("tokenizer") << "tokenizer" << 3;
        QTest::newRow("logits_processing") << "logits_processing" << 432;
    }

    void everyCheckPasses()
    {
        QFETCH(QString, folder);
        QFETCH(int, minNumChecks);
        const QString path = fixtureFolder(folder);
        if (!QDir(path).exists())
            QSKIP("the shared fixtures are not here (set DICE_SHARED)");
        const Result<ParityReport> report = checkParity(path.toStdString());
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        for (const Check &check : report->checks)
            QVERIFY2(check.passed, (check.name + ": " + check.detail).c_str());
        QVERIFY(static_cast<int>(report->checks.size()) >= minNumChecks);
    }

    void otherFoldersAreRefusedWithASentence()
    {
        const QTemporaryDir folder;
        for (const QString &path : {folder.path(), folder.filePath("absent")}) {
            const Result<ParityReport> report = checkParity(path.toStdString());
            QVERIFY(!report);
            QCOMPARE(report.error().code, ErrorCode::InvalidArgument);
            QVERIFY(QString::fromStdString(report.error().message).contains(path));
        }
    }

    void aCheckCallbackCanEndIt()
    {
        const QString path = fixtureFolder("logits_processing");
        if (!QDir(path).exists())
            QSKIP("the shared fixtures are not here (set DICE_SHARED)");
        int count = 0;
        const Result<ParityReport> report
            = checkParity(path.toStdString(), "cpu", [&](const Check &) { return ++count < 3; });
        QVERIFY(!report);
        QCOMPARE(report.error().code, ErrorCode::Cancelled);
        QCOMPARE(count, 3);
    }
};

QTEST_APPLESS_MAIN(ParityTest)
#include "tst_parity.moc"
