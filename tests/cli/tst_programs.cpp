// The command line over the real engine, judge and worker: what a user's first minutes consist of.
#include "core/data/json.h"
#include "core/store/tracefile.h"
#include "tests/cli/rundice.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>

using dice::Json;

namespace {

constexpr int patienceMs = 240000; // builds and LibTorch on a busy machine
constexpr qsizetype maxSentenceLines = 6;
constexpr const char *boxModel = DICE_SOURCE_DIR "/resources/models/dice-nano";

QString file(const QString &name)
{
    return QStringLiteral(DICE_SOURCE_DIR "/tests/cli/files/") + name;
}

QByteArray contentOf(const QString &path)
{
    QFile stream(path);
    return stream.open(QIODevice::ReadOnly) ? stream.readAll() : QByteArray();
}

// The processes whose parent is `processId`.
QStringList childrenOf(qint64 processId)
{
    return QString::fromUtf8(contentOf(QStringLiteral("/proc/%1/task/%1/children").arg(processId)))
        .split(' ', Qt::SkipEmptyParts);
}

} // namespace

class TestPrograms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const QDir programs = QFileInfo(QStringLiteral(DICE_PROGRAM)).dir();
        for (const char *name : {"dice-engine", "dice-evaluator", "dice-worker"}) {
            if (!programs.exists(name))
                QSKIP("this build has no LibTorch, so no engine and no worker");
        }
    }

    void init()
    {
        QTest::failOnWarning(QRegularExpression(".*"));
        m_folder = std::make_unique<QTemporaryDir>();
    }

    void aRightKernelIsCorrect()
    {
        QCOMPARE(verify(file("scale_kernel.py")), std::string("correct"));
        QCOMPARE(m_status, 0);
        const Json build = m_verdict.at("build");
        QVERIFY(build.at("rung") != "real_headers");
        QVERIFY2(build.at("gpu_proven").get<bool>(), build.at("log").get<std::string>().c_str());
    }

    // It runs on the CPU device, and no GPU has that much shared memory for a block.
    void aKernelThatNoGpuTakesDoesNotBuild()
    {
        QByteArray large = contentOf(file("scale_kernel.py"));
        large.replace("int i = blockIdx.x",
                      "__shared__ float s[20000]; s[threadIdx.x] = x[0]; __syncthreads();\n"
                      "    if (s[blockIdx.x] == 12345.0f) return;\n    int i = blockIdx.x");
        QCOMPARE(verify(write("large.py", large)), std::string("compile_error"));
        QVERIFY(m_verdict.at("reason").get<std::string>().find("shared data") != std::string::npos);
    }

    void aWrongKernelIsIncorrect()
    {
        QByteArray wrong = contentOf(file("scale_kernel.py"));
        wrong.replace("fmaxf(x[i], 0.0f)", "x[i]");
        QCOMPARE(verify(write("wrong.py", wrong)), std::string("incorrect"));
        QCOMPARE(m_status, 1);
    }

    void aKernelThatDoesNotBuildNamesItsLine()
    {
        QByteArray broken = contentOf(file("scale_kernel.py"));
        broken.replace("int i = blockIdx.x", "int i = block.x");
        QCOMPARE(verify(write("broken.py", broken)), std::string("compile_error"));
        QCOMPARE(m_verdict.at("line").get<int>(), 10);
    }

    void textThatIsNoModuleIsOneSentence_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray module = contentOf(file("scale_reference.py"));
        QTest::newRow("no Python") << QByteArray("# Title\n\nSome *text* in a read-me.\n");
        QTest::newRow("no Model") << QByteArray(module).replace("class Model(", "class Net(");
        QTest::newRow("inputs raise") << QByteArray(module).replace("def get_inputs():\n",
                                                                    "def get_inputs():\n    raise ValueError('no')\n");
        QTest::newRow("no get_inputs") << QByteArray(module).replace("def get_inputs", "def inputs");
    }

    void textThatIsNoModuleIsOneSentence()
    {
        QFETCH(QByteArray, text);
        const QString module = write("module.py", text);
        const DiceRun run = runDice({"generate", module}, patienceMs);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.error.contains("module.py"), run.error.constData());
        QVERIFY2(run.sentence().count('\n') < maxSentenceLines, run.error.constData());
    }

    void generateEndsWithAVerdict()
    {
        const QString kernel = m_folder->filePath("kernel.py");
        const QString trace = m_folder->filePath("steps.trace");
        const DiceRun run = runDice({"generate", file("scale_reference.py"), "--device", "cpu", "--max-tokens", "64",
                                     "-o", kernel, "--trace", trace, "--json"},
                                    patienceMs);
        QVERIFY2(run.status == 0 || run.status == 1, run.error.constData());
        const Json document = Json::parse(run.out.toStdString());
        const std::string word = document.at("verdict").at("word");
        QCOMPARE(run.status, word == "correct" ? 0 : 1);
        QCOMPARE(contentOf(kernel).toStdString(), document.at("kernel").get<std::string>());
        const auto steps = dice::store::readTrace(trace.toStdString());
        QVERIFY2(steps.has_value(), steps ? "" : steps.error().message.c_str());
        QVERIFY(steps->result.has_value() && !steps->steps.empty());
    }

    void aKernelThatCannotBeSavedIsPrinted()
    {
        const DiceRun run
            = runDice({"generate", file("scale_reference.py"), "--no-verify", "-o", "/proc/kernel.py"}, patienceMs);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.error.contains("/proc/kernel.py could not be saved"), run.error.constData());
        QVERIFY(run.out.contains("class ModelNew"));
    }

    // A canned answer would not depend on what was asked, nor on the weights.
    void theAnswerComesFromTheWeights()
    {
        const QString box = QString::fromLatin1(boxModel);
        const QByteArray relu = kernelFor(file("scale_reference.py"), box);
        QByteArray other = contentOf(file("scale_reference.py"));
        other.replace("torch.relu(x)", "torch.sigmoid(x)");
        QVERIFY(!relu.isEmpty());
        QCOMPARE(kernelFor(file("scale_reference.py"), box), relu);
        QVERIFY(kernelFor(write("other.py", other), box) != relu);
        QVERIFY(kernelFor(file("scale_reference.py"), modelWithOtherWeights()) != relu);
    }

    void interruptLeavesNoProcess()
    {
        QProcess process;
        process.start(QStringLiteral(DICE_PROGRAM),
                      {"verify", file("scale_kernel.py"), "--reference", file("scale_reference.py")});
        QVERIFY(process.waitForStarted());
        QStringList children;
        QTRY_VERIFY_WITH_TIMEOUT(!(children = childrenOf(process.processId())).isEmpty(), patienceMs);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(patienceMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("stopped"));
        for (const QString &child : children)
            QTRY_VERIFY_WITH_TIMEOUT(!std::filesystem::exists("/proc/" + child.toStdString()), patienceMs);
    }

private:
    // The model in the box with the last part of its weights, several layers, set to zero.
    QString modelWithOtherWeights()
    {
        constexpr qint64 numZeros = 4 << 20;
        const QString folder = m_folder->filePath("other-weights");
        QDir().mkpath(folder);
        for (const QFileInfo &part : QDir(QString::fromLatin1(boxModel)).entryInfoList(QDir::Files))
            QFile::copy(part.filePath(), folder + "/" + part.fileName());
        QFile weights(folder + "/model.safetensors");
        weights.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        if (!weights.open(QIODevice::ReadWrite) || !weights.seek(weights.size() - numZeros)
            || weights.write(QByteArray(numZeros, '\0')) != numZeros)
            qFatal("the weights could not be changed");
        return folder;
    }

    static QByteArray kernelFor(const QString &module, const QString &model)
    {
        return runDice({"generate", module, "--model", model, "--no-verify", "--max-tokens", "512"}, patienceMs).out;
    }

    std::string verify(const QString &kernel)
    {
        const DiceRun run = runDice(
            {"verify", kernel, "--reference", file("scale_reference.py"), "--device", "cpu", "--json"}, patienceMs);
        m_status = run.status;
        const Json document = Json::parse(run.out.toStdString(), nullptr, false);
        m_verdict = document.is_object() ? document.value("verdict", Json::object()) : Json::object();
        return m_verdict.value("word", run.error.toStdString());
    }

    QString write(const QString &name, const QByteArray &text)
    {
        const QString path = m_folder->filePath(name);
        QFile stream(path);
        if (!stream.open(QIODevice::WriteOnly) || stream.write(text) != text.size())
            qFatal("%s could not be written", qPrintable(path));
        return path;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    Json m_verdict;
    int m_status = -1;
};

QTEST_GUILESS_MAIN(TestPrograms)
#include "tst_programs.moc"
