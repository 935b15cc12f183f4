#include "tst_benchmark.h"

#include "app/services/benchmarkrun.h"
#include "tests/services/fakeprograms.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

using namespace dice;
using namespace dice::services;

namespace {

std::vector<BenchmarkTask> someTasks()
{
    std::vector<BenchmarkTask> tasks;
    for (const char *name : {"one", "two", "three", "four"})
        tasks.push_back({"level1", name, {"class Model: pass", std::string(name) + ".py"}, std::nullopt});
    tasks[2].module.text = "no module";
    return tasks;
}

BenchmarkSettings someSettings()
{
    BenchmarkSettings settings;
    settings.modelFolder = "/models/fake";
    settings.device = "cpu";
    settings.decoding.seed = 2; // right, says the fake judge
    settings.decoding.maxNewTokens = 3;
    return settings;
}

// Everything that a run needs, over fakes.
struct Bench
{
    explicit Bench(const BenchmarkSettings &settings = someSettings(),
                   const ProcessProgram &judge = fakeProgram("well"))
        : studio(fakeProgram("well"), fakeProgram("well"))
        , queue(judge, 2)
        , run(studio, queue, settings)
        , ended(&run, &BenchmarkRun::ended)
    {
    }

    Studio studio;
    VerifyQueue queue;
    BenchmarkRun run;
    QSignalSpy ended;
};

} // namespace

void TestBenchmark::init()
{
    QTest::failOnWarning(QRegularExpression(".*"));
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestBenchmark::write(const QString &name, const QByteArray &text)
{
    const QString file = m_folder->filePath(name);
    QVERIFY(QDir().mkpath(QFileInfo(file).path()));
    QFile stream(file);
    QVERIFY(stream.open(QIODevice::WriteOnly));
    stream.write(text);
}

void TestBenchmark::tasksAreFoundHoweverTheyAreStored()
{
    write("kb/level1/1_A.py", "a");
    write("kb/level1/2_B.py", "b");
    write("kb/level2/3_C.py", "c");
    write("kb/LICENSE", "free");
    write("small/first/reference.py", "d");
    write("small/first/candidate.py", "not a task");
    write("table.jsonl",
          R"({"id": 7, "pytorch_code": "e", "cuda_code": "k"})"
          "\n\n"
          R"({"idx": 8, "level": 2, "pytorch_code": "f", "cuda_code": "l"})"
          "\n");
    const auto ids = [](const std::vector<BenchmarkTask> &tasks) {
        QStringList names;
        for (const BenchmarkTask &task : tasks)
            names += QString::fromStdString(task.id());
        return names;
    };
    QCOMPARE(ids(readTasks(path("kb")).value()), (QStringList{"level1/1_A", "level1/2_B", "level2/3_C"}));
    QCOMPARE(ids(readTasks(path("kb/level1/")).value()), (QStringList{"level1/1_A", "level1/2_B"}));
    QCOMPARE(ids(readTasks(path("small")).value()), QStringList{"small/first"});
    const std::vector<BenchmarkTask> table = readTasks(path("table.jsonl"), "cuda_code").value();
    QCOMPARE(ids(table), (QStringList{"table/7", "level2/8"}));
    QCOMPARE(table[1].kernel, std::optional<std::string>("l"));
    QCOMPARE(readTasks(path("nothing")).error().code, ErrorCode::NotFound);
}

void TestBenchmark::brokenTablesNameTheLine()
{
    write("table.jsonl", "{\"pytorch_code\": \"e\"}\n{\"pytorch\": 3}\n");
    const Error error = readTasks(path("table.jsonl")).error();
    QCOMPARE(error.code, ErrorCode::InvalidData);
    QVERIFY(error.message.find("line 2") != std::string::npos);
}

void TestBenchmark::samplesAreTheSameForTheSameSeed()
{
    std::vector<BenchmarkTask> many;
    for (int i = 0; i < 50; ++i)
        many.push_back({"l", std::to_string(i), {}, std::nullopt});
    const auto names = [&many](std::uint64_t seed) {
        QStringList chosen;
        for (const BenchmarkTask &task : sampleTasks(many, {5, seed}))
            chosen += QString::fromStdString(task.name);
        return chosen;
    };
    QCOMPARE(names(1).size(), 5);
    QCOMPARE(names(1), names(1));
    QVERIFY(names(1) != names(2));
    QCOMPARE(names(1).removeDuplicates(), 0);
    QCOMPARE(sampleTasks(many, {0, 1}).size(), many.size());
}

void TestBenchmark::aRunScoresEveryTask()
{
    Bench bench;
    QVERIFY(bench.run.start(path("run"), someTasks()).has_value());
    QTRY_COMPARE(bench.ended.count(), 1);
    QCOMPARE(countWords(bench.run.results()), (std::map<std::string, int>{{"correct", 3}, {"bad_task", 1}}));
    QCOMPARE(scoreLevels(bench.run.results()).at("level1").execPercent(), 75.0);
    QVERIFY(QFile::exists(m_folder->filePath("run/kernels/level1/one.py")));
}

void TestBenchmark::aRunGoesOnWhereItEnded()
{
    {
        Bench first;
        connect(&first.run, &BenchmarkRun::taskDone, this, [&first] { first.run.stop(); });
        QVERIFY(first.run.start(path("run"), someTasks()).has_value());
        QTRY_COMPARE(first.ended.count(), 1);
        QCOMPARE(first.run.results().size(), std::size_t(1));
    }
    Bench second;
    QSignalSpy done(&second.run, &BenchmarkRun::taskDone);
    QVERIFY(second.run.start(path("run"), someTasks()).has_value());
    QTRY_COMPARE(second.ended.count(), 1);
    QCOMPARE(done.count(), 3);
    QCOMPARE(second.run.results().size(), std::size_t(4));
}

void TestBenchmark::otherSettingsAreRefused()
{
    Bench first;
    QVERIFY(first.run.start(path("run"), {}).has_value());
    BenchmarkSettings other = someSettings();
    other.protocol = Protocol::KernelBenchV0;
    Bench second(other);
    QCOMPARE(second.run.start(path("run"), {}).error().code, ErrorCode::InvalidArgument);
}

void TestBenchmark::givenKernelsAskNoModel()
{
    write("kernels/level1/one.py", "kernel 2");
    write("kernels/two.py", "kernel 3");
    std::vector<BenchmarkTask> tasks = someTasks();
    QVERIFY(attachKernels(tasks, path("kernels")).has_value());
    BenchmarkSettings settings = someSettings();
    settings.modelFolder.clear();
    Bench bench(settings);
    QVERIFY(bench.run.start(path("run"), tasks).has_value());
    QTRY_COMPARE(bench.ended.count(), 1);
    QCOMPARE(countWords(bench.run.results()),
             (std::map<std::string, int>{{"correct", 1}, {"incorrect", 1}, {"no_kernel", 2}}));
    QCOMPARE(bench.studio.engine().channel().state(), ProcessChannel::State::Stopped);
    QCOMPARE(attachKernels(tasks, path("none")).error().code, ErrorCode::NotFound);
}

void TestBenchmark::aJudgeThatDiesOnceCostsNothing()
{
    VerifyQueue queue(fakeProgram("crash_once", {m_folder->filePath("crashed")}), 1);
    std::vector<Verdict> verdicts;
    queue.add({{"kernel 2", "k"}, {"m", "m"}}, [&](const Verdict &verdict) { verdicts.push_back(verdict); });
    QTRY_COMPARE(verdicts.size(), std::size_t(1));
    QCOMPARE(verdicts[0].word, VerdictWord::Correct);
}

void TestBenchmark::aJudgeThatAlwaysDiesIsAHarnessError()
{
    VerifyQueue queue(fakeProgram("crash"), 1);
    std::vector<Verdict> verdicts;
    queue.add({{"kernel 2", "k"}, {"m", "m"}}, [&](const Verdict &verdict) { verdicts.push_back(verdict); });
    QTRY_COMPARE(verdicts.size(), std::size_t(1));
    QCOMPARE(verdicts[0].word, VerdictWord::HarnessError);
    QCOMPARE(queue.numOpen(), 0);
}
