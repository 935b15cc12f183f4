// The differentiable model, its loss and its optimizer: properties on a tiny model, and the published reference's
// numbers where ../shared/fixtures is present.
#include "core/train/batchlayout_torch.h"
#include "core/train/flatadamw_torch.h"
#include "core/train/flatparameters_torch.h"
#include "core/train/sftloss_torch.h"

#include "core/data/json.h"

#include <torch/torch.h>

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <filesystem>

using namespace dice;
using namespace dice::train;

namespace {

formats::ModelConfig tinyConfig()
{
    formats::ModelConfig config;
    config.architecture = formats::Architecture::Sdar;
    config.hiddenSize = 16;
    config.numLayers = 2;
    config.numHeads = 4;
    config.numKvHeads = 2;
    config.headDim = 8;
    config.intermediateSize = 24;
    config.vocabSize = 40;
    config.hasQkNorm = true;
    config.tieWordEmbeddings = true;
    config.blockLength = 4;
    return config;
}

LayoutOptions tinyLayout()
{
    return {.blockLength = 4, .maskToken = 39, .padToken = 38};
}

MaskedDocument makeDocument(std::vector<std::int32_t> tokens, std::int32_t promptLength,
                            std::vector<std::size_t> masked)
{
    MaskedDocument document;
    document.document = {std::move(tokens), promptLength};
    document.isMasked.assign(document.document.tokens.size(), false);
    for (const std::size_t index : masked)
        document.isMasked[index] = true;
    document.maskProbability = 0.5f;
    return document;
}

MaskedDocument firstDocument()
{
    return makeDocument({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 6, {6, 8, 11});
}

MaskedDocument secondDocument()
{
    return makeDocument({20, 21, 22, 23, 24, 25, 26, 27}, 4, {5, 6});
}

std::filesystem::path sharedFixtures()
{
    const QByteArray fromEnvironment = qgetenv("DICE_SHARED");
    const std::filesystem::path shared = fromEnvironment.isEmpty()
        ? std::filesystem::path(DICE_SOURCE_DIR).parent_path() / "shared"
        : std::filesystem::path(fromEnvironment.toStdString());
    return shared / "fixtures";
}

Json readJson(const std::filesystem::path &path)
{
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly))
        return Json();
    return Json::parse(file.readAll().toStdString());
}

MaskedDocument documentOf(const Json &sample)
{
    MaskedDocument document;
    document.document.tokens = sample.at("input_ids").get<std::vector<std::int32_t>>();
    document.document.promptLength = sample.at("prompt_length").get<std::int32_t>();
    for (const int isMasked : sample.at("masked").get<std::vector<int>>())
        document.isMasked.push_back(isMasked != 0);
    document.maskProbability = sample.at("p_mask").get<float>();
    return document;
}

bool isClose(double actual, double expected, double relative, double absolute)
{
    return std::abs(actual - expected) <= relative * std::abs(expected) + absolute;
}

} // namespace

class TestTrainingModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void visibilityFollowsTheDefinition();
    void paddingAndNeighboursDoNotChangeTheLoss();
    void hiddenTokensDoNotLeak();
    void gradientsLandInTheFlatBuffer();
    void stepEqualsTorchAdamW();
    void overfitsTwoDocuments();
    void equalsTheReference();
};

void TestTrainingModel::visibilityFollowsTheDefinition()
{
    const TrainingBatch batch = layOut({{firstDocument()}}, tinyLayout());
    const at::Tensor seen = visibility(batch)[0];
    const std::int64_t clean = 12;
    const std::int64_t noisyFirst = 4; // the noisy copy starts with the block of the first answer token
    QCOMPARE(batch.tokens_BL.size(1), 64);
    for (std::int64_t i = 0; i < 20; ++i) {
        for (std::int64_t j = 0; j < 20; ++j) {
            const bool isNoisyQuery = i >= clean;
            const bool isNoisyKey = j >= clean;
            const std::int64_t queryBlock = (isNoisyQuery ? i - clean + noisyFirst : i) / 4;
            const std::int64_t keyBlock = (isNoisyKey ? j - clean + noisyFirst : j) / 4;
            const bool expected = isNoisyKey ? isNoisyQuery && queryBlock == keyBlock
                                             : (isNoisyQuery ? keyBlock < queryBlock : keyBlock <= queryBlock);
            QCOMPARE(seen[i][j].item<bool>(), expected);
        }
    }
    QVERIFY(seen.any(-1).all().item<bool>()); // no row is empty, padding included
}

void TestTrainingModel::paddingAndNeighboursDoNotChangeTheLoss()
{
    FlatParameters parameters(tinyConfig(), at::kCPU, at::kFloat);
    parameters.initialise(7, 0.3);
    const auto lossesOf = [&](const std::vector<DocumentRow> &rows) {
        return sftLoss(parameters.weights(), tinyConfig(), layOut(rows, tinyLayout())).crossEntropy_M;
    };
    const at::Tensor alone = at::cat({lossesOf({{firstDocument()}}), lossesOf({{secondDocument()}})});
    QVERIFY(at::allclose(alone, lossesOf({{firstDocument()}, {secondDocument()}}), 1e-5, 1e-6));
    QVERIFY(at::allclose(alone, lossesOf({{firstDocument(), secondDocument()}}), 1e-5, 1e-6));
}

void TestTrainingModel::hiddenTokensDoNotLeak()
{
    FlatParameters parameters(tinyConfig(), at::kCPU, at::kFloat);
    parameters.initialise(7, 0.3);
    MaskedDocument changed = firstDocument();
    changed.document.tokens[8] = 33; // masked, in the last block: no visible position may depend on it
    const auto logitsOf = [&](const MaskedDocument &document) {
        const TrainingBatch batch = layOut({{document}}, tinyLayout());
        return sftLoss(parameters.weights(), tinyConfig(), batch).crossEntropy_M;
    };
    const at::Tensor before = logitsOf(firstDocument());
    const at::Tensor after = logitsOf(changed);
    QVERIFY(at::equal(before[0], after[0]));
    QVERIFY(at::equal(before[2], after[2]));
    QVERIFY(!at::equal(before[1], after[1])); // its own target did change
}

void TestTrainingModel::gradientsLandInTheFlatBuffer()
{
    FlatParameters parameters(tinyConfig(), at::kCPU, at::kFloat);
    parameters.initialise(7, 0.3);
    const TrainingBatch batch = layOut({{firstDocument()}}, tinyLayout());
    sftLoss(parameters.weights(), tinyConfig(), batch).loss.backward();
    const at::Tensor once = parameters.gradient().clone();
    for (const ParameterSlice &slice : parameters.slices())
        QVERIFY2(once.narrow(0, slice.offset, slice.count).abs().max().item<float>() > 0, slice.name.c_str());
    sftLoss(parameters.weights(), tinyConfig(), batch).loss.backward();
    QVERIFY(at::allclose(parameters.gradient(), 2 * once, 1e-4, 1e-6));
    parameters.zeroGradient();
    QCOMPARE(parameters.weights().embedding.grad().abs().max().item<float>(), 0.0f);
}

void TestTrainingModel::stepEqualsTorchAdamW()
{
    FlatParameters parameters(tinyConfig(), at::kCPU, at::kFloat);
    parameters.initialise(3, 0.3);
    std::vector<at::Tensor> matrices;
    std::vector<at::Tensor> norms;
    for (const ParameterSlice &slice : parameters.slices()) {
        at::Tensor copy = parameters.master().narrow(0, slice.offset, slice.count).clone().requires_grad_();
        (slice.shape.size() == 1 ? norms : matrices).push_back(copy);
    }
    const auto options = torch::optim::AdamWOptions(1e-2).betas({0.9, 0.95}).eps(1e-8);
    torch::optim::AdamW reference(
        {torch::optim::OptimizerParamGroup(
             matrices,
             std::make_unique<torch::optim::AdamWOptions>(torch::optim::AdamWOptions(options).weight_decay(0.1))),
         torch::optim::OptimizerParamGroup(
             norms,
             std::make_unique<torch::optim::AdamWOptions>(torch::optim::AdamWOptions(options).weight_decay(0.0)))},
        options);
    FlatAdamW optimizer(parameters, {.maxGradientNorm = 0.0});

    for (int step = 0; step < 3; ++step) {
        at::manual_seed(step);
        parameters.gradient().copy_(at::randn({parameters.count()}));
        std::size_t nextMatrix = 0;
        std::size_t nextNorm = 0;
        for (const ParameterSlice &slice : parameters.slices()) {
            at::Tensor &copy = slice.shape.size() == 1 ? norms[nextNorm++] : matrices[nextMatrix++];
            copy.mutable_grad() = parameters.gradient().narrow(0, slice.offset, slice.count).clone();
        }
        optimizer.step(1e-2);
        reference.step();
    }
    std::size_t nextMatrix = 0;
    std::size_t nextNorm = 0;
    for (const ParameterSlice &slice : parameters.slices()) {
        const at::Tensor &copy = slice.shape.size() == 1 ? norms[nextNorm++] : matrices[nextMatrix++];
        QVERIFY2(at::allclose(parameters.master().narrow(0, slice.offset, slice.count), copy, 1e-5, 1e-6),
                 slice.name.c_str());
    }
}

void TestTrainingModel::overfitsTwoDocuments()
{
    FlatParameters parameters(tinyConfig(), at::kCPU, at::kFloat);
    parameters.initialise(7);
    FlatAdamW optimizer(parameters, {.weightDecay = 0.0});
    const TrainingBatch batch = layOut({{firstDocument()}, {secondDocument()}}, tinyLayout());
    double first = 0;
    double last = 0;
    std::int64_t numCorrect = 0;
    for (int step = 0; step < 60; ++step) {
        parameters.zeroGradient();
        const SftLoss result = sftLoss(parameters.weights(), tinyConfig(), batch);
        result.loss.backward();
        optimizer.step(1e-2);
        last = result.loss.item<double>();
        first = step == 0 ? last : first;
        numCorrect = result.numCorrect.item<std::int64_t>();
    }
    QVERIFY2(last < 0.05 * first, qPrintable(QString("loss %1 -> %2").arg(first).arg(last)));
    QCOMPARE(numCorrect, 5);
}

void TestTrainingModel::equalsTheReference()
{
    const std::filesystem::path fixtures = sharedFixtures();
    const Json expected = readJson(fixtures / "training/sdar/expected.json");
    if (expected.is_null())
        QSKIP("the reference fixtures are not beside this checkout (set DICE_SHARED)");
    const Json &sft = expected.at("sft");
    const Result<formats::ModelConfig> config = formats::readModelConfig(fixtures / "models/sdar");
    QVERIFY(config);
    const Result<formats::Weights> weights = formats::Weights::openFolder(fixtures / "models/sdar");
    QVERIFY(weights);
    FlatParameters parameters(*config, at::kCPU, at::kFloat);
    QVERIFY(parameters.load(*weights));
    const LayoutOptions layout{.blockLength = sft.at("block_size"),
                               .maskToken = sft.at("mask_token_id"),
                               .padToken = sft.at("pad_token_id")};

    std::vector<at::Tensor> losses;
    for (const Json &sample : sft.at("samples")) {
        const SftLoss result = sftLoss(parameters.weights(), *config, layOut({{documentOf(sample)}}, layout));
        const double wanted = sample.at("loss");
        QVERIFY2(isClose(result.loss.item<double>(), wanted, 1e-5, 1e-6),
                 qPrintable(QString("%1, not %2").arg(result.loss.item<double>(), 0, 'g', 9).arg(wanted, 0, 'g', 9)));
        losses.push_back(result.loss);
    }
    const at::Tensor mean = at::stack(losses).mean();
    QVERIFY(isClose(mean.item<double>(), sft.at("mean_loss"), 1e-5, 1e-6));
    mean.backward();
    QVERIFY(isClose(parameters.gradient().norm().item<double>(), sft.at("gradient_norm_total"), 1e-4, 0));
    for (const ParameterSlice &slice : parameters.slices()) {
        const Json &wanted = sft.at("gradients_of_mean_loss").at(slice.name);
        const double norm = parameters.gradient().narrow(0, slice.offset, slice.count).norm().item<double>();
        QVERIFY2(isClose(norm, wanted.at("norm"), 1e-4, 0), slice.name.c_str());
    }

    const Json &samples = sft.at("samples");
    const SftLoss packed = sftLoss(parameters.weights(), *config,
                                   layOut({{documentOf(samples.at(0)), documentOf(samples.at(1))}}, layout));
    QVERIFY(isClose(packed.loss.item<double>(), sft.at("packed").at("loss"), 1e-5, 1e-6));
}

QTEST_APPLESS_MAIN(TestTrainingModel)
#include "tst_trainingmodel.moc"
