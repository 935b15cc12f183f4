// A whole training of a tiny model on the CPU: it learns, stops, resumes with the same numbers, and refuses bad input.
#include "tests/train/tinycorpus.h"

#include "core/engine/engine.h"
#include "core/store/jsonlines.h"
#include "core/train/tokenizertraining.h"
#include "core/train/trainer.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace dice;
using namespace dice::train;

namespace {

TrainConfig tinyTraining(const std::filesystem::path &tokenizer)
{
    TrainConfig config;
    config.model = {.numLayers = 2,
                    .hiddenSize = 32,
                    .numHeads = 2,
                    .numKvHeads = 1,
                    .headDim = 16,
                    .intermediateSize = 64,
                    .blockLength = 8};
    config.tokenizerFolder = tokenizer.string();
    config.device = "cpu";
    config.maxPositions = 24'000;
    config.positionsPerStep = 1'000;
    config.positionsPerPass = 600;
    config.learningRate = 5e-3;
    config.warmupSteps = 4;
    config.numWorkers = 2;
    config.evaluateEverySteps = 8;
    config.numHeldOutDocuments = 8;
    config.checkpointEverySteps = 10;
    return config;
}

std::vector<double> lossesOf(const std::filesystem::path &run)
{
    const Result<std::vector<Json>> lines = store::JsonLinesReader(run / "metrics.jsonl").readNew();
    std::vector<double> losses;
    for (const Json &line : lines.value())
        losses.push_back(line.at("loss"));
    return losses;
}

} // namespace

class TestTrainer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void initTestCase();
    void learnsAndWritesAModelThatLoads();
    void resumedRunEqualsAnUninterruptedOne();
    void cancelKeepsACheckpoint();
    void goesOnFromAModelFolder();
    void refusesBadInputWithoutLeavingARun();

private:
    std::filesystem::path path(const char *name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    QTemporaryDir m_folder;
};

void TestTrainer::initTestCase()
{
    engine::setNumThreads(1); // one thread gives the same sums on every machine
    QVERIFY(trainTokenizer(path("tokenizer"), {.vocabSize = 320, .numPairs = 200}, tinyPair));
}

void TestTrainer::learnsAndWritesAModelThatLoads()
{
    TrainConfig config = tinyTraining(path("tokenizer"));
    config.maxPositions = 600'000;
    config.positionsPerStep = 2'000;
    config.positionsPerPass = 2'000;
    double heldOutAccuracy = 0;
    const Result<TrainSummary> summary = trainSft(
        {config, path("learns")}, tinyPair,
        [&](const TrainStep &step) {
            if (!std::isnan(step.heldOutAccuracy))
                heldOutAccuracy = step.heldOutAccuracy;
        },
        CancelToken());
    QVERIFY2(summary, summary ? "" : (summary.error().message + summary.error().detail).c_str());
    QVERIFY(!summary->isStopped);
    const std::vector<double> losses = lossesOf(path("learns"));
    QCOMPARE(static_cast<std::int64_t>(losses.size()), summary->steps);
    QVERIFY2(losses.back() < 0.3 * losses.front(),
             qPrintable(QString("%1 -> %2").arg(losses.front()).arg(losses.back())));
    QVERIFY2(heldOutAccuracy > 0.95, qPrintable(QString::number(heldOutAccuracy)));

    Result<engine::Engine> model = engine::Engine::load({summary->checkpoint, "cpu", "float32"});
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const Result<engine::Answer> answer = model->generate({tinyPair(6).prompt, {}});
    QVERIFY(answer);
    QVERIFY2(answer->result.text == tinyPair(6).answer, answer->result.text.c_str());
}

void TestTrainer::resumedRunEqualsAnUninterruptedOne()
{
    const TrainConfig config = tinyTraining(path("tokenizer"));
    const auto ignore = [](const TrainStep &) {};
    QVERIFY(trainSft({config, path("whole")}, tinyPair, ignore, CancelToken()));
    CancelToken cancel;
    QVERIFY(trainSft(
        {config, path("parts")}, tinyPair,
        [&](const TrainStep &step) {
            if (step.step == 7)
                cancel.cancel();
        },
        cancel));
    QCOMPARE(lossesOf(path("parts")).size(), std::size_t{7});
    QVERIFY(trainSft({{}, path("parts"), RunStart::Resume}, tinyPair, ignore, CancelToken()));
    QCOMPARE(lossesOf(path("parts")), lossesOf(path("whole")));
}

void TestTrainer::cancelKeepsACheckpoint()
{
    CancelToken cancel;
    const Result<TrainSummary> summary = trainSft(
        {tinyTraining(path("tokenizer")), path("cancelled")}, tinyPair, [&](const TrainStep &) { cancel.cancel(); },
        cancel);
    QVERIFY(summary);
    QVERIFY(summary->isStopped);
    QCOMPARE(summary->steps, 1);
    QVERIFY(std::filesystem::exists(std::filesystem::path(summary->checkpoint) / "model.safetensors"));
}

void TestTrainer::goesOnFromAModelFolder()
{
    const auto ignore = [](const TrainStep &) {};
    const Result<TrainSummary> first
        = trainSft({tinyTraining(path("tokenizer")), path("first")}, tinyPair, ignore, CancelToken());
    QVERIFY(first);
    TrainConfig config = tinyTraining({});
    config.initialFolder = first->checkpoint;
    QVERIFY(trainSft({config, path("second")}, tinyPair, ignore, CancelToken()));
    QVERIFY(lossesOf(path("second")).front() < 0.9 * lossesOf(path("first")).front());
}

void TestTrainer::refusesBadInputWithoutLeavingARun()
{
    const auto ignore = [](const TrainStep &) {};
    TrainConfig config = tinyTraining(path("tokenizer"));
    config.model.numKvHeads = 3;
    const Result<TrainSummary> badShape = trainSft({config, path("bad")}, tinyPair, ignore, CancelToken());
    QVERIFY(!badShape);
    QCOMPARE(badShape.error().code, ErrorCode::InvalidArgument);
    QVERIFY(!std::filesystem::exists(path("bad")));

    QVERIFY(!trainSft({tinyTraining(path("no-tokenizer")), path("bad")}, tinyPair, ignore, CancelToken()));
    QVERIFY(!trainSft({{}, path("bad"), RunStart::Resume}, tinyPair, ignore, CancelToken()));
    QVERIFY(!std::filesystem::exists(path("bad")));

    QVERIFY(trainSft({tinyTraining(path("tokenizer")), path("taken")}, tinyPair, ignore, CancelToken()));
    QVERIFY(!trainSft({tinyTraining(path("tokenizer")), path("taken")}, tinyPair, ignore, CancelToken()));
}

QTEST_APPLESS_MAIN(TestTrainer)
#include "tst_trainer.moc"
