// Nothing typed is lost: the session's file, its keeper, and the real program killed in mid-typing.
#include "app/studio/mainwindow.h"
#include "app/studio/modulefiles.h"
#include "app/studio/sessionkeeper.h"
#include "app/studio/startup.h"
#include "tests/widgets/fixtures.h"
#include "tests/widgets/pictures.h"
#include "widgets/pages/authorpage.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace dice;
using namespace dice::studio;

class SessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarning(); }
    void comesBackAsItWas();
    void brokenFilesAreErrors();
    void changeIsOnTheDiskWithinASecond();
    void steadyTypingIsSavedToo();
    void failureIsTold();
    void destructionSaves();
    void textFiles();
    void examplesAreModules();
    void germanIsComplete();
    void killedProgramKeepsTheText();

private:
    static Session sample();
};

Session SessionTest::sample()
{
    Session session;
    session.moduleText = test::moduleText() + QStringLiteral("# \u00e4\u4e2d\U0001F600\n");
    session.moduleName = QStringLiteral("softmax.py");
    widgets::Attempt attempt;
    attempt.number = 3;
    attempt.state = widgets::AttemptState::Judged;
    attempt.kernelText = test::kernelText();
    attempt.judgedText = test::kernelText();
    attempt.verdict = test::incorrectVerdict();
    session.attempts.push_back(attempt);
    session.currentAttempt = 3;
    return session;
}

void SessionTest::comesBackAsItWas()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("deeper/session.json");
    QVERIFY(writeSession(file, sample()).has_value());
    const auto read = readSession(file);
    QVERIFY(read.has_value());
    QCOMPARE(read->moduleText, sample().moduleText);
    QCOMPARE(read->attempts.size(), std::size_t(1));
    QCOMPARE(read->attempts[0].number, 3);
    QCOMPARE(read->attempts[0].kernelText, test::kernelText());
    QVERIFY(read->attempts[0].verdict == test::incorrectVerdict());
    QVERIFY(read->attempts[0].state == widgets::AttemptState::Judged);
}

void SessionTest::brokenFilesAreErrors()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("session.json");
    QCOMPARE(static_cast<int>(readSession(file).error().code), static_cast<int>(ErrorCode::NotFound));
    QVERIFY(writeSession(file, sample()).has_value());
    QFile stored(file);
    QVERIFY(stored.open(QIODevice::ReadOnly));
    const QByteArray whole = stored.readAll();
    stored.close();
    for (qsizetype length = 0; length < whole.size() - 1; length += 97) {
        QFile cut(file);
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write(whole.left(length));
        cut.close();
        QVERIFY(!readSession(file).has_value());
    }
    for (const char *text :
         {"[]", "{}", "null", "{\"module\":3,\"attempts\":[]}", "{\"module\":\"\",\"attempts\":[1]}"}) {
        QFile other(file);
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(text);
        other.close();
        QVERIFY2(!readSession(file).has_value(), text);
    }
}

void SessionTest::changeIsOnTheDiskWithinASecond()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("session.json");
    SessionKeeper keeper(file, [] { return sample(); });
    QSignalSpy saves(&keeper, &SessionKeeper::saved);
    QElapsedTimer timer;
    timer.start();
    keeper.noteChange();
    QVERIFY(saves.wait(5000));
    QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(readSession(file).has_value());
}

void SessionTest::steadyTypingIsSavedToo()
{
    QTemporaryDir folder;
    SessionKeeper keeper(folder.filePath("session.json"), [] { return sample(); });
    QSignalSpy saves(&keeper, &SessionKeeper::saved);
    QTimer typing;
    typing.setInterval(20);
    connect(&typing, &QTimer::timeout, &keeper, &SessionKeeper::noteChange);
    typing.start();
    QTRY_VERIFY_WITH_TIMEOUT(saves.count() >= 2, 10000); // a delay that each key restarts would never end
}

void SessionTest::failureIsTold()
{
    QTemporaryDir folder;
    QFile inTheWay(folder.filePath("not-a-folder"));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    inTheWay.close();
    SessionKeeper keeper(folder.filePath("not-a-folder/session.json"), [] { return sample(); });
    QSignalSpy failures(&keeper, &SessionKeeper::saveFailed);
    keeper.noteChange();
    QVERIFY(failures.wait(5000));
}

void SessionTest::destructionSaves()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("session.json");
    {
        SessionKeeper keeper(file, [] { return sample(); });
        keeper.noteChange();
    }
    QVERIFY(readSession(file).has_value());
}

void SessionTest::textFiles()
{
    QTemporaryDir folder;
    const QString file = folder.filePath("module.py");
    QVERIFY(writeTextFile(file, sample().moduleText).has_value());
    QCOMPARE(*readTextFile(file), sample().moduleText);
    QVERIFY(!readTextFile(folder.filePath("absent.py")).has_value());
    QFile binary(file);
    QVERIFY(binary.open(QIODevice::WriteOnly));
    binary.write(QByteArray("\x80\x02\x00\xff", 4));
    binary.close();
    QVERIFY(QString::fromStdString(readTextFile(file).error().message).contains("module.py"));
    QFile large(file);
    QVERIFY(large.open(QIODevice::WriteOnly));
    large.write(QByteArray(9 << 20, 'x'));
    large.close();
    QVERIFY(!readTextFile(file).has_value());
}

void SessionTest::examplesAreModules()
{
    const auto examples = exampleModules();
    QVERIFY(examples.size() >= 8);
    for (const auto &example : examples) {
        QVERIFY(!example.title.endsWith(".py"));
        for (const char *part : {"class Model(", "def get_inputs(", "def get_init_inputs("})
            QVERIFY2(example.text.contains(QLatin1String(part)), qPrintable(example.fileName));
    }
}

// Qt looks texts up under the class's full name: a file with other names loads and translates nothing.
void SessionTest::germanIsComplete()
{
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    loadTranslations(*qApp);
    QLocale::setDefault(before);
    QCOMPARE(widgets::AuthorPage::tr("Outcome"), QString("Ergebnis"));
    QCOMPARE(MainWindow::tr("Author"), QString("Schreiben"));
    QCOMPARE(widgets::wordText(VerdictWord::Incorrect), QString("falsch"));
    QFile source(DICE_SOURCE_DIR "/translations/dice-studio_de.ts");
    QVERIFY(source.open(QIODevice::ReadOnly));
    QVERIFY(!source.readAll().contains("unfinished"));
}

// The whole program: it opens a module, dies by SIGKILL, and finds the text when it starts again.
void SessionTest::killedProgramKeepsTheText()
{
    const QString program = QCoreApplication::applicationDirPath() + "/../bin/dice-studio";
    QTemporaryDir folder;
    const QString module = folder.filePath("mine.py");
    QVERIFY(writeTextFile(module, test::moduleText()).has_value());
    const QString file = folder.filePath("session.json");
    const QStringList profile{"--profile", folder.path()};
    for (const QStringList &arguments : {profile + QStringList{module}, profile}) {
        QProcess process;
        process.start(program, arguments);
        QVERIFY2(process.waitForStarted(), qPrintable(process.errorString()));
        QTRY_VERIFY_WITH_TIMEOUT(readSession(file).has_value(), 20000);
        process.kill();
        QVERIFY(process.waitForFinished());
        QCOMPARE(readSession(file)->moduleText, test::moduleText());
        QCOMPARE(readSession(file)->moduleName, QString("mine.py"));
    }
}

QTEST_MAIN(SessionTest)
#include "tst_session.moc"
