// What a training step is made of: documents, masks, groups; and the queue that makes them ahead.
#include "tests/train/tinycorpus.h"

#include "core/train/batchlayout.h"
#include "core/train/learningrate.h"
#include "core/train/stepdata.h"
#include "core/train/stepqueue.h"
#include "core/train/tokenizertraining.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace dice;
using namespace dice::train;

namespace {

constexpr DocumentFormat tinyFormat{.blockLength = 8, .padToken = 1, .endToken = 2, .maxTokens = 512};
constexpr StepPlan tinyPlan{.seed = 5, .positionsPerStep = 2000, .positionsPerPass = 600, .blockLength = 8};

bool isSame(const StepData &a, const StepData &b)
{
    if (a.passes.size() != b.passes.size() || a.numPositions != b.numPositions)
        return false;
    for (std::size_t pass = 0; pass < a.passes.size(); ++pass) {
        if (a.passes[pass].size() != b.passes[pass].size())
            return false;
        for (std::size_t row = 0; row < a.passes[pass].size(); ++row) {
            if (a.passes[pass][row].document.tokens != b.passes[pass][row].document.tokens
                || a.passes[pass][row].isMasked != b.passes[pass][row].isMasked)
                return false;
        }
    }
    return true;
}

} // namespace

class TestStepData : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void initTestCase();
    void documentsStartAndEndOnBlockEdges();
    void documentsOverTheLimitAreLeftOut();
    void masksCoverAnswersWithSpreadProbabilities();
    void passesKeepEveryDocumentWithinTheirSize();
    void stepsAreFunctionsOfSeedAndStep();
    void queueGivesStepsInOrder();
    void queueReportsFaults();
    void learningRateWarmsUpStaysAndDecays();

private:
    QTemporaryDir m_folder;
    std::optional<DocumentMaker> m_maker;
};

void TestStepData::initTestCase()
{
    const std::filesystem::path folder = m_folder.path().toStdString();
    QVERIFY(trainTokenizer(folder, {.vocabSize = 320, .numPairs = 200}, tinyPair));
    Result<DocumentMaker> maker = DocumentMaker::fromFolder(folder, tinyFormat);
    QVERIFY2(maker, maker ? "" : maker.error().message.c_str());
    m_maker = std::move(*maker);
}

void TestStepData::documentsStartAndEndOnBlockEdges()
{
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        const Result<std::optional<Document>> document = m_maker->make(tinyPair(seed));
        QVERIFY(document && *document);
        QCOMPARE((*document)->promptLength % 8, 0);
        QCOMPARE((*document)->tokens.size() % 8, std::size_t{0});
        const auto &tokens = (*document)->tokens;
        QCOMPARE(std::count(tokens.begin() + (*document)->promptLength, tokens.end(), tinyFormat.endToken), 1);
        QVERIFY(tokens.size() > static_cast<std::size_t>((*document)->promptLength));
    }
}

void TestStepData::documentsOverTheLimitAreLeftOut()
{
    const TrainingPair longPair{std::string(4000, 'a'), "b"};
    const Result<std::optional<Document>> document = m_maker->make(longPair);
    QVERIFY(document);
    QVERIFY(!*document);
    const Result<StepData> data = makeStepData(
        tinyPlan, 1, [&](std::uint64_t) { return longPair; }, *m_maker);
    QVERIFY(!data);
    QVERIFY(data.error().message.find("max_document_tokens") != std::string::npos);
}

void TestStepData::masksCoverAnswersWithSpreadProbabilities()
{
    std::vector<Document> documents(100, Document{std::vector<std::int32_t>(400, 7), 80});
    const std::vector<MaskedDocument> masked = maskDocuments(documents, 3);
    std::set<int> strata;
    for (const MaskedDocument &item : masked) {
        QVERIFY(item.maskProbability > 0.02f && item.maskProbability <= 1.0f);
        strata.insert(static_cast<int>((1.0f - item.maskProbability) / 0.98f * 100));
        QVERIFY(std::none_of(item.isMasked.begin(), item.isMasked.begin() + 80, [](bool is) { return is; }));
        const double share = static_cast<double>(std::count(item.isMasked.begin(), item.isMasked.end(), true)) / 320;
        QVERIFY(std::abs(share - item.maskProbability) < 0.12); // over 4 standard deviations of 320 draws
    }
    QVERIFY(strata.size() >= 98); // one document in each hundredth, but for rounding at the edges
}

void TestStepData::passesKeepEveryDocumentWithinTheirSize()
{
    const Result<StepData> data = makeStepData(tinyPlan, 1, tinyPair, *m_maker);
    QVERIFY(data);
    QVERIFY(data->numPositions >= tinyPlan.positionsPerStep);
    std::int64_t positions = 0;
    for (const Pass &pass : data->passes) {
        std::int64_t longest = 0;
        for (const MaskedDocument &masked : pass) {
            longest = std::max(longest, rowLengthFor(layoutLength(masked.document, 8)));
            positions += layoutLength(masked.document, 8);
        }
        QVERIFY(longest * static_cast<std::int64_t>(pass.size()) <= tinyPlan.positionsPerPass);
    }
    QCOMPARE(positions, data->numPositions);
}

void TestStepData::stepsAreFunctionsOfSeedAndStep()
{
    const auto dataOf
        = [&](const StepPlan &plan, std::int64_t step) { return *makeStepData(plan, step, tinyPair, *m_maker); };
    QVERIFY(isSame(dataOf(tinyPlan, 4), dataOf(tinyPlan, 4)));
    QVERIFY(!isSame(dataOf(tinyPlan, 4), dataOf(tinyPlan, 5)));
    StepPlan other = tinyPlan;
    other.seed = 6;
    QVERIFY(!isSame(dataOf(tinyPlan, 4), dataOf(other, 4)));
    QVERIFY(
        isSame(*makeHeldOutData(tinyPlan, 10, tinyPair, *m_maker), *makeHeldOutData(other, 10, tinyPair, *m_maker)));
}

void TestStepData::queueGivesStepsInOrder()
{
    StepQueue queue([&](std::int64_t step, int) { return makeStepData(tinyPlan, step, tinyPair, *m_maker); }, 3, 3);
    for (std::int64_t step = 3; step < 20; ++step) {
        const Result<StepData> data = queue.next();
        QVERIFY(data);
        QVERIFY(isSame(*data, *makeStepData(tinyPlan, step, tinyPair, *m_maker)));
    }
}

void TestStepData::queueReportsFaults()
{
    StepQueue queue([](std::int64_t, int) -> Result<StepData> { throw std::runtime_error("broken source"); }, 1, 2);
    const Result<StepData> data = queue.next();
    QVERIFY(!data);
    QCOMPARE(data.error().detail, std::string("broken source"));
}

void TestStepData::learningRateWarmsUpStaysAndDecays()
{
    TrainConfig config;
    config.learningRate = 1.0;
    config.warmupSteps = 10;
    config.decayShare = 0.25;
    config.maxPositions = 100;
    config.maxSeconds = 50;
    QCOMPARE(learningRateAt(config, 1, 0.0), 0.1);
    QCOMPARE(learningRateAt(config, 10, 0.1), 1.0);
    QCOMPARE(learningRateAt(config, 500, 0.75), 1.0);
    QCOMPARE(learningRateAt(config, 500, 0.875), 0.5);
    QCOMPARE(learningRateAt(config, 500, 1.0), 0.0);
    QCOMPARE(budgetShare(config, 10, 40.0), 0.8);
    QCOMPARE(budgetShare(config, 90, 1.0), 0.9);
    QCOMPARE(budgetShare(config, 190, 1.0), 1.0);
}

QTEST_APPLESS_MAIN(TestStepData)
#include "tst_stepdata.moc"
