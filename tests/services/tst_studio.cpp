#include "tst_studio.h"

#include "app/services/studio.h"
#include "tests/services/fakeprograms.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace dice;
using namespace dice::services;

namespace {

// A Studio and what it said.
struct Stage
{
    explicit Stage(const ProcessProgram &engine = fakeProgram("well"),
                   const ProcessProgram &judge = fakeProgram("well"))
        : studio(engine, judge)
    {
        QObject::connect(&studio, &Studio::finished, &studio,
                         [this](const JobOutcome &outcome) { outcomes.push_back(outcome); });
        QObject::connect(&studio, &Studio::failed, &studio, [this](const Error &error) { errors.push_back(error); });
    }

    std::size_t numEndings() const { return outcomes.size() + errors.size(); }

    Studio studio;
    std::vector<JobOutcome> outcomes;
    std::vector<Error> errors;
};

GenerateJob job(std::uint64_t seed, int numAttempts = 1)
{
    GenerateJob job;
    job.module = {"class Model: pass\n", "module.py"};
    job.modelFolder = "/models/fake";
    job.device = "cpu";
    job.decoding.seed = seed;
    job.decoding.maxNewTokens = 40;
    job.numAttempts = numAttempts;
    return job;
}

} // namespace

void TestStudio::init()
{
    QTest::failOnWarning(QRegularExpression(".*"));
}

void TestStudio::aJobRunsThroughItsSteps()
{
    Stage stage;
    QStringList order;
    Studio &studio = stage.studio;
    connect(&studio, &Studio::modulePrepared, this, [&] { order += "prepared"; });
    connect(&studio, &Studio::attemptStarted, this, [&] { order += "attempt"; });
    connect(&studio, &Studio::generated, this, [&] { order += "generated"; });
    connect(&studio, &Studio::verdictProgressed, this, [&](const QString &name) { order += name; });
    connect(&studio, &Studio::verdictReached, this, [&] { order += "verdict"; });
    connect(&studio, &Studio::finished, this, [&] { order += "finished"; });
    QSignalSpy steps(&studio, &Studio::stepReceived);
    QSignalSpy loaded(&studio, &Studio::modelLoaded);
    studio.generate(job(2));
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QCOMPARE(order, (QStringList{"prepared", "attempt", "generated", "build", "verdict", "finished"}));
    QCOMPARE(steps.count(), 40);
    QCOMPARE(loaded.count(), 1);
    const JobOutcome &outcome = stage.outcomes.at(0);
    QVERIFY(outcome.isCorrect());
    QCOMPARE(outcome.best()->kernel, std::string("kernel 2 for class Model: pass\n"));
    QCOMPARE(outcome.model.name, std::string("fake"));
    QCOMPARE(studio.stage(), Studio::Stage::Idle);
}

void TestStudio::attemptsEndWithTheFirstCorrectOne()
{
    Stage stage;
    stage.studio.generate(job(3, 5)); // seed 3 is wrong, seed 4 is right
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QCOMPARE(stage.outcomes.at(0).attempts.size(), std::size_t(2));
    QVERIFY(stage.outcomes.at(0).isCorrect());
}

void TestStudio::attemptsAreLimited()
{
    Stage stage;
    stage.studio.generate(job(3, 1));
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QCOMPARE(stage.outcomes.at(0).attempts.size(), std::size_t(1));
    QVERIFY(!stage.outcomes.at(0).isCorrect());
}

void TestStudio::verificationCanBeSkipped()
{
    Stage stage;
    GenerateJob unverified = job(2);
    unverified.verification = Verification::Skipped;
    stage.studio.generate(unverified);
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QVERIFY(!stage.outcomes.at(0).best()->verdict.has_value());
}

void TestStudio::aModuleThatIsNoneIsBadInput()
{
    Stage stage;
    GenerateJob text = job(2);
    text.module = {"# Read me\n", "README.md"};
    stage.studio.generate(text);
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QCOMPARE(stage.errors.at(0).code, ErrorCode::InvalidArgument);
    QCOMPARE(stage.errors.at(0).message, std::string("README.md: there is no class Model"));
    stage.studio.generate(job(2));
    QTRY_COMPARE(stage.outcomes.size(), std::size_t(1));
}

void TestStudio::aLoadedModelIsKept()
{
    Stage stage;
    QSignalSpy loaded(&stage.studio, &Studio::modelLoaded);
    stage.studio.generate(job(2));
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    stage.studio.generate(job(4));
    QTRY_COMPARE(stage.numEndings(), std::size_t(2));
    QCOMPARE(loaded.count(), 1);
    GenerateJob other = job(4);
    other.modelFolder = "/models/other";
    stage.studio.generate(other);
    QTRY_COMPARE(stage.numEndings(), std::size_t(3));
    QCOMPARE(loaded.count(), 2);
}

void TestStudio::aWarmUpServesTheJob()
{
    Stage stage;
    QSignalSpy loaded(&stage.studio, &Studio::modelLoaded);
    stage.studio.warmUp({"/models/fake", "cpu", "auto"}, {});
    stage.studio.generate(job(2)); // before the engine has answered
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QVERIFY(stage.outcomes.at(0).isCorrect());
    QCOMPARE(stage.outcomes.at(0).model.name, std::string("fake"));
    QCOMPARE(loaded.count(), 1);
}

void TestStudio::stopWhileGeneratingKeepsWhatThereIs()
{
    Stage stage;
    GenerateJob endless = job(2);
    endless.module.text += "# forever\n";
    QSignalSpy steps(&stage.studio, &Studio::stepReceived);
    stage.studio.generate(endless);
    QVERIFY(steps.wait());
    stage.studio.stop();
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QVERIFY(stage.outcomes.at(0).isStopped);
    QCOMPARE(stage.outcomes.at(0).best()->kernel, std::string("half\n"));
    QVERIFY(!stage.outcomes.at(0).best()->verdict.has_value());
}

void TestStudio::stopBeforeGeneratingEndsTheJob()
{
    Stage stage(fakeProgram("hang"), fakeProgram("hang"));
    stage.studio.generate(job(2));
    QCOMPARE(stage.studio.stage(), Studio::Stage::Preparing);
    stage.studio.stop();
    QVERIFY(stage.outcomes.empty());
    QTRY_COMPARE(stage.outcomes.size(), std::size_t(1));
    QVERIFY(stage.outcomes.at(0).isStopped);
    QVERIFY(!stage.outcomes.at(0).best());
}

void TestStudio::aDeadEngineFailsTheJobAndTheNextTryWorks()
{
    const QTemporaryDir folder;
    Stage stage(fakeProgram("crash_once", {folder.filePath("crashed")}));
    stage.studio.generate(job(2));
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QCOMPARE(stage.errors.at(0).code, ErrorCode::ProcessFailed);
    stage.studio.generate(job(2));
    QTRY_COMPARE(stage.outcomes.size(), std::size_t(1));
    QVERIFY(stage.outcomes.at(0).isCorrect());
}

void TestStudio::aDeadJudgeFailsTheJobAndTheNextTryWorks()
{
    const QTemporaryDir folder;
    Stage stage(fakeProgram("well"), fakeProgram("crash_once", {folder.filePath("crashed")}));
    stage.studio.generate(job(2));
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QCOMPARE(stage.errors.at(0).code, ErrorCode::ProcessFailed);
    stage.studio.generate(job(2));
    QTRY_COMPARE(stage.outcomes.size(), std::size_t(1));
}

void TestStudio::verifyingAlone()
{
    Stage stage;
    VerifyRequest request;
    request.candidate = {"kernel 8", "k.py"};
    request.reference = {"class Model: pass", "m.py"};
    stage.studio.verify(request);
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QVERIFY(stage.outcomes.at(0).isCorrect());
    QCOMPARE(stage.outcomes.at(0).best()->verdict->device, std::string("cpu"));
}

void TestStudio::aSecondJobDoesNotDisturbTheFirst()
{
    Stage stage;
    stage.studio.generate(job(2));
    stage.studio.generate(job(3));
    stage.studio.verify({});
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    QVERIFY(stage.outcomes.at(0).isCorrect());
}

void TestStudio::endingTheProcessesIsReported()
{
    Stage stage;
    QSignalSpy ended(&stage.studio, &Studio::processesEnded);
    stage.studio.endProcesses(); // none runs
    QTRY_COMPARE(ended.count(), 1);
    stage.studio.generate(job(2));
    QTRY_COMPARE(stage.numEndings(), std::size_t(1));
    const qint64 engine = stage.studio.engine().channel().processId();
    QVERIFY(engine > 0);
    stage.studio.endProcesses();
    QTRY_COMPARE(ended.count(), 2);
    QCOMPARE(stage.studio.engine().channel().processId(), 0);
}
