#include "core/train/corpus/corpus.h"

#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace dice::corpus;

namespace {

int count(const std::string &text, const std::string &part)
{
    int found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++found;
    return found;
}

std::string read(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The names between "functions=[" and "]".
std::vector<std::string> boundFunctions(const std::string &answer)
{
    const size_t begin = answer.find("functions=[") + 11;
    std::stringstream list(answer.substr(begin, answer.find(']', begin) - begin));
    std::vector<std::string> names;
    for (std::string name; std::getline(list, name, ',');) {
        const size_t first = name.find('\'');
        names.push_back(name.substr(first + 1, name.rfind('\'') - first - 1));
    }
    return names;
}

bool isBalanced(const std::string &text)
{
    std::string open;
    for (const char letter : text) {
        if (letter == '(' || letter == '[' || letter == '{')
            open.push_back(letter);
        else if (letter == ')' || letter == ']' || letter == '}') {
            const char expected = letter == ')' ? '(' : letter == ']' ? '[' : '{';
            if (open.empty() || open.back() != expected)
                return false;
            open.pop_back();
        }
    }
    return open.empty();
}

} // namespace

class TestCorpus : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void sameSeedSamePair();
    void sameModuleSameAnswer();
    void everyOperationAppears();
    void everyOperationAlone();
    void modulesHaveCanonicalLayout();
    void modulesAreFixedPointsOfTheNormaliser();
    void answersAreComplete();
    void mixFollowsTheOptions();
    void writesNumberedFolders();
    void saysWhereItCannotWrite();
};

void TestCorpus::sameSeedSamePair()
{
    for (uint64_t seed : {0ULL, 1ULL, 77ULL, 1ULL << 63}) {
        const Pair first = generatePair(seed);
        const Pair second = generatePair(seed);
        QCOMPARE(first.module, second.module);
        QCOMPARE(first.answer, second.answer);
        QCOMPARE(first.operations, second.operations);
    }
    QVERIFY(generatePair(1).module != generatePair(2).module);
}

// The model can only learn what the prompt determines.
void TestCorpus::sameModuleSameAnswer()
{
    std::map<std::string, std::string> answers;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        const Pair pair = generatePair(seed);
        const auto [known, isNew] = answers.emplace(pair.module, pair.answer);
        if (!isNew)
            QCOMPARE(QString::fromStdString(pair.answer), QString::fromStdString(known->second));
    }
}

void TestCorpus::everyOperationAppears()
{
    std::set<std::string> seen;
    for (uint64_t seed = 0; seed < 20000; ++seed)
        for (const std::string &name : generatePair(seed).operations)
            seen.insert(name);
    std::set<std::string> names;
    for (const OperationInfo &operation : operations()) {
        QVERIFY2(names.insert(operation.name).second, ("two operations called " + operation.name).c_str());
        QVERIFY2(seen.count(operation.name) == 1, operation.name.c_str());
    }
    QVERIFY(names.size() >= 120);
}

void TestCorpus::everyOperationAlone()
{
    CorpusOptions options;
    for (const OperationInfo &operation : operations()) {
        options.onlyOperation = operation.name;
        const Pair pair = generatePair(3, options);
        QCOMPARE(pair.operations, std::vector<std::string>{operation.name});
    }
}

void TestCorpus::modulesHaveCanonicalLayout()
{
    for (uint64_t seed = 0; seed < 5000; ++seed) {
        const Pair pair = generatePair(seed);
        const std::string where = "seed " + std::to_string(seed) + ":\n" + pair.module;
        QVERIFY2(pair.module.starts_with("import torch\nimport torch.nn as nn\n"), where.c_str());
        QVERIFY2(pair.module.ends_with("]\n"), where.c_str());
        QVERIFY2(!pair.module.ends_with("\n\n"), where.c_str());
        QVERIFY2(isBalanced(pair.module), where.c_str());
        for (const char *unwanted :
             {"#", "\"", "\t", "\r", " \n", "\n\n\n", "${", "{a}", "{x}", "{d}", "{0}", "1e-5", "{b}"})
            QVERIFY2(pair.module.find(unwanted) == std::string::npos, (where + "\nholds " + unwanted).c_str());
        for (const char *wanted : {"\nclass Model(nn.Module):\n", "    def forward(self, ", "\ndef get_inputs():\n",
                                   "\ndef get_init_inputs():\n"})
            QCOMPARE(count(pair.module, wanted), 1);
    }
}

// Prompts are normalised before the model sees them: what it was trained on must come through unchanged.
void TestCorpus::modulesAreFixedPointsOfTheNormaliser()
{
    const QString python = QStringLiteral(DICE_TEST_PYTHON);
    if (!QFileInfo(python).isExecutable())
        QSKIP("no Python interpreter was found when the tests were configured");
    QTemporaryDir folder;
    QVERIFY(writeCorpus(folder.path().toStdString(), 1500, 123456));
    const QString script
        = QStringLiteral("import sys, glob\n"
                         "sys.path.insert(0, sys.argv[1])\n"
                         "from dice_worker.normalise import normalise\n"
                         "files = glob.glob(sys.argv[2] + '/*/reference.py')\n"
                         "for name in files:\n"
                         "    text = open(name).read()\n"
                         "    if normalise(text) != (text, []): sys.exit(name + '\\n' + text)\n"
                         "    compile(open(name.replace('reference', 'answer')).read(), name, 'exec')\n"
                         "print(len(files))\n");
    QProcess process;
    process.start(python,
                  {QStringLiteral("-c"), script, QStringLiteral(DICE_SOURCE_DIR "/app/worker/python"), folder.path()});
    QVERIFY(process.waitForFinished(100000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    QCOMPARE(process.readAllStandardOutput().trimmed(), QByteArray("1500"));
}

void TestCorpus::answersAreComplete()
{
    for (uint64_t seed = 0; seed < 5000; ++seed) {
        const Pair pair = generatePair(seed);
        const std::string where = "seed " + std::to_string(seed) + ":\n" + pair.answer;
        QVERIFY2(isBalanced(pair.answer), where.c_str());
        QCOMPARE(count(pair.answer, "class ModelNew(nn.Module):\n"), 1);
        const std::vector<std::string> functions = boundFunctions(pair.answer);
        QVERIFY2(!functions.empty(), where.c_str());
        for (const std::string &name : functions) {
            QVERIFY2(pair.answer.find("ext." + name + "(") != std::string::npos,
                     (where + "\nnever called: " + name).c_str());
            QVERIFY2(count(pair.answer, "torch::Tensor " + name + "(") == 2,
                     (where + "\nnot declared and defined once: " + name).c_str());
        }
        QCOMPARE(int(std::set<std::string>(functions.begin(), functions.end()).size()), int(functions.size()));
        QVERIFY2(pair.answer.find("$") == std::string::npos && pair.answer.find("@") == std::string::npos,
                 where.c_str());
        QVERIFY2(pair.answer.find("torch::matmul") == std::string::npos, where.c_str());
    }
}

void TestCorpus::mixFollowsTheOptions()
{
    std::array<int, 6> steps{};
    for (uint64_t seed = 0; seed < 4000; ++seed)
        ++steps[size_t(std::min(generatePair(seed).numSteps, 5))];
    QVERIFY(steps[1] > 1500 && steps[1] < 2000);
    QVERIFY(steps[2] > 1300 && steps[2] < 1900);
    QVERIFY(steps[3] + steps[4] + steps[5] > 550);
    CorpusOptions chains;
    chains.singlePercent = 0;
    chains.pairPercent = 0;
    int numLong = 0;
    for (uint64_t seed = 0; seed < 500; ++seed)
        numLong += generatePair(seed, chains).numSteps >= 3 ? 1 : 0;
    QVERIFY(numLong > 350); // some end early: nothing follows an index
}

void TestCorpus::writesNumberedFolders()
{
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    QVERIFY(writeCorpus(path, 3, 40));
    const Pair second = generatePair(41);
    QCOMPARE(read(path / "task_00002" / "reference.py"), second.module);
    QCOMPARE(read(path / "task_00002" / "answer.py"), second.answer);
    QVERIFY(std::filesystem::exists(path / "task_00003"));
    QVERIFY(!std::filesystem::exists(path / "task_00004"));
}

void TestCorpus::saysWhereItCannotWrite()
{
    QTemporaryDir folder;
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "file";
    std::ofstream(file) << "not a folder";
    const dice::Status status = writeCorpus(file, 1, 0);
    QVERIFY(!status);
    QCOMPARE(status.error().code, dice::ErrorCode::Io);
    QVERIFY(status.error().message.find(file.string()) != std::string::npos);
}

QTEST_GUILESS_MAIN(TestCorpus)
#include "test_corpus.moc"
