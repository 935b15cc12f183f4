// The shared candidates with known verdicts, judged through the real path at both tolerances. A tolerated word counts
// only under its condition, which is looked at here: nothing left running, no file outside, digests unchanged.
#include "core/evaluate/judge.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cstdlib>
#include <memory>

using namespace dice::evaluate;

namespace {

// Judged through both sets of headers: every kind of text that has no need of a GPU, and both outcomes.
constexpr std::array bothHeaders{
    "good/argmax_int64",
    "good/atomic_segment_sum",
    "good/bf16_silu",
    "good/bias_gelu_fused",
    "good/constant_filter",
    "good/dispatch_template",
    "good/half2_axpy",
    "good/layernorm_affine",
    "good/multi_output_tuple",
    "good/pybind_module",
    "good/row_softmax_shared",
    "good/two_extensions",
    "good/warp_shuffle_center",
    "wrong/cuda_missing_semicolon",
    "wrong/dtype_int32_indices",
    "wrong/first_batch_only",
    "wrong/host_check_throws",
    "wrong/host_null_pointer",
    "wrong/weight_not_transposed",
    "wrong/write_past_end_near",
};

constexpr const char *dropping = "kernel_case_dropping.txt"; // what the case that writes files leaves

QString sharedFolder()
{
    const QString named = qEnvironmentVariable("DICE_SHARED");
    return named.isEmpty() ? QStringLiteral(DICE_SOURCE_DIR "/../shared") : named;
}

std::string python()
{
    const QByteArray named = qgetenv("DICE_PYTHON");
    return named.isEmpty() ? DICE_DEFAULT_PYTHON : named.toStdString();
}

std::string textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

// Digest over names and contents of all files below a folder.
QByteArray digestOf(const QString &folder)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QStringList paths;
    for (QDirIterator walk(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); walk.hasNext();)
        paths.append(walk.next());
    paths.sort();
    for (const QString &path : paths) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        hash.addData(path.toUtf8());
        hash.addData(&file);
    }
    return hash.result();
}

int numWorkers()
{
    int count = 0;
    for (const QString &process : QDir("/proc").entryList(QDir::Dirs))
        count += textOf("/proc/" + process + "/cmdline").find("dice-worker") != std::string::npos;
    return count;
}

} // namespace

class TestCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void initTestCase();
    void cleanupTestCase();
    void verdicts_data();
    void verdicts();
    void sameThroughTorchHeaders_data();
    void sameThroughTorchHeaders();

private:
    dice::Result<dice::Verdict> judge(const QString &folder, dice::Protocol protocol, dice::BuildHeaders headers);
    bool isTolerated(const QJsonObject &verdict, const QString &word) const;

    QTemporaryDir m_folder;
    Installation m_installation;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<BoxPool> m_pool;
    std::unique_ptr<BuildService> m_builds;
    std::unique_ptr<Judge> m_judge;
};

void TestCases::initTestCase()
{
    if (!QDir(sharedFolder() + "/cases").exists())
        QSKIP("the shared cases are not here: set DICE_SHARED to the folder that holds cases/");
    auto installation = findInstallation(DICE_PROGRAM_FOLDER, python(), m_folder.filePath("cache").toStdString());
    QVERIFY2(installation, installation ? "" : installation.error().message.c_str());
    m_installation = *installation;
    m_sandbox = std::make_unique<Sandbox>(Sandbox::probe(m_installation));
    if (!m_sandbox->hasBubblewrap())
        QSKIP("no bubblewrap here: the cases are run only where they may misbehave");
    m_pool = std::make_unique<BoxPool>(*m_sandbox, m_folder.filePath("run").toStdString());
    m_builds = std::make_unique<BuildService>(m_installation, *m_pool);
    m_judge = std::make_unique<Judge>(*m_pool, *m_builds, *m_sandbox);
    m_pool->setTarget(1);
}

void TestCases::cleanupTestCase()
{
    m_pool.reset();
    QCOMPARE(numWorkers(), 0);
}

void TestCases::verdicts_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("isStrict");
    const QDir cases(sharedFolder() + "/cases");
    for (const QString &group : {QStringLiteral("good"), QStringLiteral("wrong"), QStringLiteral("hacks")})
        for (const QString &name : QDir(cases.filePath(group)).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            for (const bool isStrict : {true, false}) {
                const QString label = group + "/" + name + (isStrict ? " 1e-4" : " 1e-2");
                QTest::newRow(qPrintable(label)) << cases.filePath(group + "/" + name) << isStrict;
            }
}

void TestCases::verdicts()
{
    QFETCH(QString, folder);
    QFETCH(bool, isStrict);
    const QJsonObject known
        = QJsonDocument::fromJson(QByteArray::fromStdString(textOf(folder + "/verdict.json"))).object();
    if (known["device"].toString() != "any")
        QSKIP("needs a GPU: its verdict on the CPU device does not count");
    const QByteArray cacheBefore = digestOf(QString::fromStdString(m_installation.cacheFolder));

    const auto verdict
        = judge(folder, isStrict ? dice::Protocol::Strict : dice::Protocol::KernelBenchV0, dice::BuildHeaders::Fastest);
    QVERIFY2(verdict, verdict ? "" : verdict.error().message.c_str());

    const QString word = dice::toString(verdict->word);
    const QString expected = known[isStrict ? "expect_strict" : "expect"].toString();
    const bool isRight = word == expected || known["accept"].toArray().contains(word);
    QVERIFY2(isRight || isTolerated(known, word),
             qPrintable(word + ", expected " + expected + ": " + QString::fromStdString(verdict->reason)));
    if (verdict->build.rung == "cache" || !verdict->build.isBuilt)
        QCOMPARE(digestOf(QString::fromStdString(m_installation.cacheFolder)), cacheBefore);
}

void TestCases::sameThroughTorchHeaders_data()
{
    QTest::addColumn<QString>("folder");
    for (const char *name : bothHeaders)
        QTest::newRow(name) << sharedFolder() + "/cases/" + name;
}

void TestCases::sameThroughTorchHeaders()
{
    QFETCH(QString, folder);
    const auto fast = judge(folder, dice::Protocol::Strict, dice::BuildHeaders::Fastest);
    const auto slow = judge(folder, dice::Protocol::Strict, dice::BuildHeaders::Torch);
    QVERIFY(fast && slow);
    QCOMPARE(slow->build.rung, std::string("real_headers"));
    QVERIFY2(slow->word == fast->word, qPrintable(QString::fromStdString(slow->reason + " / " + fast->reason)));
}

dice::Result<dice::Verdict> TestCases::judge(const QString &folder, dice::Protocol protocol, dice::BuildHeaders headers)
{
    dice::VerifyRequest request;
    request.candidate = {textOf(folder + "/candidate.py"), "candidate.py"};
    request.reference = {textOf(folder + "/reference.py"), "reference.py"};
    request.protocol = protocol;
    request.headers = headers;
    return m_judge->verify(request, {}, [](const std::string &, const dice::Verdict &) {});
}

bool TestCases::isTolerated(const QJsonObject &verdict, const QString &word) const
{
    if (!verdict["tolerate"].toObject().contains(word))
        return false;
    for (const QString &place :
         {QDir::homePath(), QDir::tempPath(), QString::fromStdString(m_installation.sitePackages) + "/torch"})
        if (QFile::exists(place + "/" + dropping))
            return false;
    return true;
}

QTEST_GUILESS_MAIN(TestCases)
#include "test_cases.moc"
