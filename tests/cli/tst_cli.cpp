// The program as a script uses it: exit statuses, one sentence for bad input, one document with --json.
#include "core/data/json.h"
#include "tests/cli/rundice.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using dice::Json;

namespace {

constexpr int patienceMs = 60000;
constexpr qsizetype maxSentenceLines = 6;

} // namespace

class TestCli : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(".*"));
        m_folder = std::make_unique<QTemporaryDir>();
    }

    void badUseIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named"); // what the sentence must name
        const QString none = "no-such-file.py";
        QTest::newRow("no command") << QStringList{} << "--help";
        QTest::newRow("unknown command") << QStringList{"no-such-command"} << "no-such-command";
        QTest::newRow("unknown option") << QStringList{"doctor", "--fast"} << "--fast";
        QTest::newRow("half a group") << QStringList{"model"} << "--help";
        QTest::newRow("no module") << QStringList{"generate"} << "MODULE";
        QTest::newRow("no such module") << QStringList{"generate", none} << none;
        QTest::newRow("a folder") << QStringList{"generate", "/"} << "folder";
        QTest::newRow("no such model") << QStringList{"generate", "--model", "gpt", "{module}"} << "gpt";
        QTest::newRow("bad device") << QStringList{"generate", "--device", "tpu", "{module}"} << "tpu";
        QTest::newRow("bad strategy") << QStringList{"generate", "--strategy", "best", "{module}"} << "best";
        QTest::newRow("bad threshold") << QStringList{"generate", "--threshold", "7", "{module}"} << "threshold";
        QTest::newRow("word for a number") << QStringList{"generate", "--seed", "x", "{module}"} << "--seed";
        QTest::newRow("no output folder") << QStringList{"generate", "-o", "/no/such/k.py", "{module}"} << "/no/such";
        QTest::newRow("no kernel") << QStringList{"verify", none, "--reference", "{module}"} << none;
        QTest::newRow("no reference") << QStringList{"verify", "{module}"} << "--reference";
        QTest::newRow("bad protocol") << QStringList{"verify",   "--protocol",  "kind",
                                                     "{module}", "--reference", "{module}"}
                                      << "kind";
        QTest::newRow("no cases") << QStringList{"verify", "--cases", "/no/such/folder"} << "/no/such/folder";
        QTest::newRow("no parity folder") << QStringList{"model", "parity", "no-such-folder"} << "no-such-folder";
        QTest::newRow("no tasks") << QStringList{"bench", "/no/such/tasks", "--kernels", "/"} << "/no/such/tasks";
        QTest::newRow("no config") << QStringList{"train", "sft"} << "--config";
        QTest::newRow("no such config") << QStringList{"train", "sft", "--config", "none.json"} << "none.json";
        QTest::newRow("no such run") << QStringList{"train", "sft", "--resume", "/no/run"} << "/no/run";
        QTest::newRow("full folder") << QStringList{"data", "synth", "--out", "/"} << "/";
        QTest::newRow("empty file") << QStringList{"generate", "{empty}"} << "empty.py";
        QTest::newRow("binary file") << QStringList{"generate", "{binary}"} << "binary.py";
        QTest::newRow("5 MB") << QStringList{"generate", "{large}"} << "large.py";
    }

    void badUseIsOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, named);
        arguments.replaceInStrings("{module}", write("module.py", "class Model: pass\n"));
        arguments.replaceInStrings("{empty}", write("empty.py", " \n"));
        arguments.replaceInStrings("{binary}", write("binary.py", QByteArray("\x7f\x45\xff\x00", 4)));
        arguments.replaceInStrings("{large}", write("large.py", QByteArray(5 << 20, '#')));
        const DiceRun run = runDice(arguments);
        QCOMPARE(run.status, 2);
        QVERIFY2(!run.sentence().isEmpty() && run.sentence().count('\n') < maxSentenceLines, run.error.constData());
        QVERIFY2(run.sentence().contains(named.toUtf8()), run.error.constData());
        QCOMPARE(run.out, QByteArray());
    }

    void errorsAreADocumentToo()
    {
        const DiceRun run = runDice({"generate", "no-such-file.py", "--json"});
        QCOMPARE(run.status, 2);
        const Json document = Json::parse(run.out.toStdString());
        QCOMPARE(document.at("error").at("code").get<std::string>(), std::string("not_found"));
    }

    void helpIsNoFault()
    {
        for (const QStringList &arguments : {QStringList{"--help"}, QStringList{"bench", "--help"}}) {
            const DiceRun run = runDice(arguments);
            QCOMPARE(run.status, 0);
            QVERIFY(run.out.contains("--help"));
        }
    }

    void modelsAreListedAsOneDocument()
    {
        const DiceRun run = runDice({"model", "list", "--json"});
        QCOMPARE(run.status, 0);
        QVERIFY(Json::parse(run.out.toStdString()).at("models").is_array());
    }

    void nothingIsLeftHalfWritten()
    {
        const QString module = write("module.py", "class Model: pass\n");
        const QString kernel = m_folder->filePath("kernel.py");
        runDice({"generate", module, "--model", "/no/such/model", "-o", kernel});
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"module.py"});
    }

    void interruptEndsCleanly()
    {
        QProcess process;
        const QString module = write("module.py", "class Model: pass\n");
        process.start(QStringLiteral(DICE_PROGRAM), {"verify", module, "--reference", module});
        QVERIFY(process.waitForStarted());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(patienceMs));
        // Before the handler is there the signal ends the process; after it the program ends itself.
        const bool isEnded = process.exitStatus() == QProcess::CrashExit || process.exitCode() != 0;
        QVERIFY(isEnded);
    }

private:
    QString write(const QString &name, const QByteArray &text)
    {
        const QString path = m_folder->filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("%s could not be written", qPrintable(path));
        return path;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
