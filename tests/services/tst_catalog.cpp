#include "tst_catalog.h"

#include "app/services/answertext.h"
#include "app/services/caselist.h"
#include "app/services/modelcatalog.h"
#include "app/services/settings.h"
#include "app/services/studiojob.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace dice;
using namespace dice::services;

void TestCatalog::init()
{
    QTest::failOnWarning(QRegularExpression(".*"));
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestCatalog::write(const QString &name, const QByteArray &text)
{
    const QString path = m_folder->filePath(name);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

void TestCatalog::modelsAreFoundByNameAndFolder()
{
    write("box/dice-nano/config.json", "{}");
    write("box/aaa/config.json", "{}");
    write("box/no-model/readme", "");
    write("mine/dice-nano/config.json", "{}"); // hidden by the one in the box
    write("mine/big/config.json", "{}");
    const ModelCatalog catalog(m_folder->filePath("box"), {m_folder->filePath("mine"), "/no/such/folder"});
    QStringList names;
    for (const ModelEntry &entry : catalog.models())
        names += entry.name;
    QCOMPARE(names, (QStringList{"aaa", "dice-nano", "big"}));
    QCOMPARE(catalog.defaultModel()->name, QString("dice-nano"));
    QVERIFY(catalog.defaultModel()->isInTheBox);
    QCOMPARE(catalog.find("big")->folder, m_folder->filePath("mine/big"));
    QCOMPARE(catalog.find(m_folder->filePath("mine/big"))->name, QString("big"));
}

void TestCatalog::anUnknownModelNamesTheKnownOnes()
{
    write("box/dice-nano/config.json", "{}");
    const ModelCatalog catalog(m_folder->filePath("box"));
    const Error error = catalog.find("gpt").error();
    QCOMPARE(error.code, ErrorCode::NotFound);
    QVERIFY(error.message.find("dice-nano") != std::string::npos);
    QCOMPARE(ModelCatalog("/no/such/folder").defaultModel().error().code, ErrorCode::NotFound);
}

void TestCatalog::settingsComeBack()
{
    const QString file = m_folder->filePath("settings.ini");
    DecodingOptions decoding;
    decoding.blockLength = 4;
    decoding.strategy = Remasking::Sequential;
    decoding.seed = 1ull << 63;
    {
        Settings settings(file);
        settings.setModel("big");
        settings.setDecoding(decoding);
        settings.setProtocol(Protocol::KernelBenchV0);
        settings.setLayout("main", QByteArray("\0\xff", 2));
        settings.setText("module", QString::fromUtf8("line\n\tµ = \"x\"; # [a]"));
    }
    const Settings settings(file);
    QCOMPARE(settings.model(), QString("big"));
    QCOMPARE(settings.decoding(), decoding);
    QCOMPARE(settings.protocol(), Protocol::KernelBenchV0);
    QCOMPARE(settings.layout("main"), QByteArray("\0\xff", 2));
    QCOMPARE(settings.text("module"), QString::fromUtf8("line\n\tµ = \"x\"; # [a]"));
}

void TestCatalog::brokenSettingsGiveTheDefaults()
{
    write("settings.ini", "decoding=\"{\\\"seed\\\": 3}\"\n[verify]\nprotocol=lenient\ntrials=-7\n");
    const Settings settings(m_folder->filePath("settings.ini"));
    QCOMPARE(settings.decoding(), DecodingOptions{});
    QCOMPARE(settings.protocol(), Protocol::Strict);
    QCOMPARE(settings.numTrials(), 1);
}

void TestCatalog::kernelsAreTakenOutOfAnswers_data()
{
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("kernel");
    QTest::newRow("file alone") << "import torch\nx = 1"
                                << "import torch\nx = 1\n";
    QTest::newRow("fenced") << "Here:\n```python\nimport torch\n```\nDone."
                            << "import torch\n";
    QTest::newRow("longest fence") << "```\na\n```\n```python\nlonger\n```"
                                   << "longer\n";
    QTest::newRow("open fence") << "```python\nimport torch\nx"
                                << "import torch\nx\n";
    QTest::newRow("fence at the end") << "text ```"
                                      << "";
    QTest::newRow("empty") << "  \n "
                           << "";
}

void TestCatalog::kernelsAreTakenOutOfAnswers()
{
    QFETCH(QString, answer);
    QFETCH(QString, kernel);
    QCOMPARE(QString::fromStdString(kernelOf(answer.toStdString())), kernel);
}

void TestCatalog::casesAreReadWithTheirRules()
{
    write("good/one/reference.py", "r");
    write("good/one/candidate.py", "c");
    write("good/one/verdict.json", R"({"expect": "correct", "expect_strict": "incorrect", "accept": ["rejected"],
                                       "tolerate": {"timeout": "why"}, "device": "any"})");
    write("hacks/two/reference.py", "r");
    write("hacks/two/candidate.py", "c");
    write("hacks/two/verdict.json", R"({"expect": "rejected", "expect_strict": "rejected", "device": "gpu"})");
    write("tasks/three/reference.py", "r"); // without a verdict it is no case
    const std::vector<VerdictCase> cases = readCases(m_folder->path().toStdString()).value();
    QCOMPARE(cases.size(), std::size_t(2));
    QCOMPARE(cases[0].name, std::string("good/one"));
    QCOMPARE(expectedWord(cases[0], Protocol::KernelBenchV0), std::string("correct"));
    QCOMPARE(expectedWord(cases[0], Protocol::Strict), std::string("incorrect"));
    Verdict verdict;
    verdict.device = "cpu";
    const auto right = [&](const VerdictCase &known, Protocol protocol, VerdictWord word) {
        verdict.word = word;
        return isRight(known, protocol, verdict);
    };
    QVERIFY(right(cases[0], Protocol::KernelBenchV0, VerdictWord::Correct));
    QVERIFY(!right(cases[0], Protocol::Strict, VerdictWord::Correct));
    QVERIFY(right(cases[0], Protocol::Strict, VerdictWord::Rejected));
    QVERIFY(right(cases[0], Protocol::Strict, VerdictWord::Timeout));
    QVERIFY(!right(cases[0], Protocol::Strict, VerdictWord::HarnessError));
    QVERIFY(right(cases[1], Protocol::Strict, VerdictWord::NeedsGpu)); // on a CPU nothing it says counts
    verdict.device = "cuda:0";
    QVERIFY(!right(cases[1], Protocol::Strict, VerdictWord::Correct));
}

void TestCatalog::brokenCasesAreErrors()
{
    QCOMPARE(readCases(m_folder->path().toStdString()).error().code, ErrorCode::NotFound);
    write("good/one/verdict.json", "{\"expect\": 3}");
    QCOMPARE(readCases(m_folder->path().toStdString()).error().code, ErrorCode::InvalidData);
}

void TestCatalog::laterAttemptsSample()
{
    DecodingOptions greedy;
    greedy.seed = 10;
    QCOMPARE(decodingOfAttempt(greedy, 0), greedy);
    QCOMPARE(decodingOfAttempt(greedy, 2).seed, std::uint64_t(12));
    QVERIFY(decodingOfAttempt(greedy, 1).temperature > 0.0);
    DecodingOptions hot = greedy;
    hot.temperature = 1.5;
    QCOMPARE(decodingOfAttempt(hot, 1).temperature, 1.5);
}
