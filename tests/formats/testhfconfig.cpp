#include "testformats.h"

#include "core/formats/hfconfig.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <fstream>

namespace dice::formats::tests {

namespace {

using nlohmann::json;

ModelConfig smallSdar()
{
    ModelConfig config;
    config.hiddenSize = 320;
    config.numLayers = 8;
    config.numHeads = 5;
    config.numKvHeads = 5;
    config.headDim = 64;
    config.intermediateSize = 896;
    config.vocabSize = 2560;
    config.maxPositions = 4096;
    config.tieWordEmbeddings = true;
    config.hasQkNorm = true;
    config.blockLength = 8;
    config.padPromptToBlock = true;
    config.torchDtype = DType::BF16;
    config.maskTokenId = 2559;
    config.padTokenId = 2557;
    config.eosTokenIds = {2558, 2557};
    return config;
}

json configOf(const std::filesystem::path &folder)
{
    std::ifstream file(folder / "config.json");
    return json::parse(file);
}

} // namespace

class HfConfigTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip();
    void faults_data();
    void faults();
    void missingFolderAndFile();
    void referenceModels_data();
    void referenceModels();
};

void HfConfigTest::roundTrip()
{
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    const ModelConfig written = smallSdar();
    VERIFY_RESULT(writeModelConfig(folder, written));
    const auto read = readModelConfig(folder);
    VERIFY_RESULT(read);
    QVERIFY(read->architecture == Architecture::Sdar);
    QCOMPARE(read->hiddenSize, written.hiddenSize);
    QCOMPARE(read->numKvHeads, written.numKvHeads);
    QCOMPARE(read->headDim, written.headDim);
    QCOMPARE(read->blockLength, written.blockLength);
    QCOMPARE(read->padPromptToBlock, true);
    QCOMPARE(read->tieWordEmbeddings, true);
    QCOMPARE(read->ropeTheta, written.ropeTheta);
    QVERIFY(read->torchDtype == DType::BF16);
    QVERIFY(read->eosTokenIds == written.eosTokenIds);
    QVERIFY(read->maskTokenId == written.maskTokenId);
    QVERIFY(read->padTokenId == written.padTokenId);
    QVERIFY(!read->bosTokenId);
}

void HfConfigTest::faults_data()
{
    QTest::addColumn<QString>("patch"); // merged into a good config.json; null removes
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown architecture") << R"({"architectures":["MambaForCausalLM"]})"
                                          << "MambaForCausalLM";
    QTest::newRow("no architecture") << R"({"architectures":null,"model_type":null})"
                                     << "neither architectures nor model_type";
    QTest::newRow("no hidden size") << R"({"hidden_size":null})"
                                    << "has no hidden_size";
    QTest::newRow("negative layers") << R"({"num_hidden_layers":-3})"
                                     << "impossible num_hidden_layers (-3)";
    QTest::newRow("huge vocabulary") << R"({"vocab_size":99999999999})"
                                     << "impossible vocab_size";
    QTest::newRow("text for a number") << R"({"num_attention_heads":"5"})"
                                       << "impossible num_attention_heads";
    QTest::newRow("heads do not divide") << R"({"num_key_value_heads":3})"
                                         << "do not divide the heads";
    QTest::newRow("odd head") << R"({"head_dim":63})"
                              << "odd head_dim";
    QTest::newRow("mask outside") << R"({"mask_token_id":2560})"
                                  << "mask_token_id outside the vocabulary";
    QTest::newRow("no mask") << R"({"mask_token_id":null})"
                             << "has no mask_token_id";
    QTest::newRow("no block") << R"({"block_size":null})"
                              << "has no block_size";
    QTest::newRow("eos outside") << R"({"eos_token_id":[1,-2]})"
                                 << "eos_token_id outside the vocabulary";
    QTest::newRow("activation") << R"({"hidden_act":"gelu"})"
                                << "gelu";
    QTest::newRow("rope scaling") << R"({"rope_scaling":{"type":"yarn"}})"
                                  << "yarn";
    QTest::newRow("sliding window") << R"({"use_sliding_window":true})"
                                    << "sliding";
    QTest::newRow("no epsilon") << R"({"rms_norm_eps":null})"
                                << "rms_norm_eps";
    QTest::newRow("no theta") << R"({"rope_theta":null})"
                              << "rope_theta";
}

void HfConfigTest::faults()
{
    QFETCH(QString, patch);
    QFETCH(QString, says);
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    VERIFY_RESULT(writeModelConfig(folder, smallSdar()));
    json config = configOf(folder);
    config.merge_patch(json::parse(patch.toStdString()));
    std::ofstream(folder / "config.json") << config;
    const auto read = readModelConfig(folder);
    QVERIFY(!read);
    QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
}

void HfConfigTest::missingFolderAndFile()
{
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    QVERIFY(readModelConfig(folder / "none").error().code == ErrorCode::NotFound);
    const auto empty = readModelConfig(folder);
    QVERIFY(empty.error().code == ErrorCode::NotFound);
    QVERIFY(empty.error().message.find("config.json") != std::string::npos);
    std::ofstream(folder / "config.json") << "{\"architectures\":";
    QVERIFY(readModelConfig(folder).error().code == ErrorCode::InvalidData);
    std::ofstream(folder / "config.json") << "[]";
    QVERIFY(readModelConfig(folder).error().code == ErrorCode::InvalidData);
}

void HfConfigTest::referenceModels_data()
{
    QTest::addColumn<int>("architecture");
    QTest::addColumn<int>("headDim");
    QTest::addColumn<int>("kvHeads");
    QTest::addColumn<int>("vocabulary");
    QTest::addColumn<int>("mask"); // -1: none
    QTest::addColumn<int>("firstEos");
    QTest::newRow("sdar") << int(Architecture::Sdar) << 32 << 2 << 1296 << 1282 << 1258;
    QTest::newRow("sdar-sharded") << int(Architecture::Sdar) << 32 << 2 << 1296 << 1282 << 1258;
    QTest::newRow("qwen3") << int(Architecture::Qwen3) << 32 << 2 << 640 << -1 << 598;
    QTest::newRow("qwen2") << int(Architecture::Qwen2) << 16 << 2 << 640 << -1 << 598;
    QTest::newRow("llada") << int(Architecture::LLaDA) << 16 << 4 << 640 << 603 << 597;
    QTest::newRow("dream") << int(Architecture::Dream) << 16 << 2 << 640 << 619 << 596;
}

void HfConfigTest::referenceModels()
{
    SKIP_WITHOUT_SHARED();
    QFETCH(int, architecture);
    QFETCH(int, headDim);
    QFETCH(int, kvHeads);
    QFETCH(int, vocabulary);
    QFETCH(int, mask);
    QFETCH(int, firstEos);
    const auto config = readModelConfig(sharedFolder() / "fixtures" / "models" / QTest::currentDataTag());
    VERIFY_RESULT(config);
    QCOMPARE(int(config->architecture), architecture);
    QCOMPARE(config->headDim, std::int64_t{headDim});
    QCOMPARE(config->numKvHeads, std::int64_t{kvHeads});
    QCOMPARE(config->vocabSize, std::int64_t{vocabulary});
    QCOMPARE(config->maskTokenId.value_or(-1), mask);
    QCOMPARE(config->eosTokenIds.front(), firstEos);
    QCOMPARE(config->blockLength, std::int64_t{config->isBlockDiffusion() ? 4 : 0});
    QCOMPARE(config->padPromptToBlock, false);
}

int runHfConfigTests(int argc, char **argv)
{
    HfConfigTest test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace dice::formats::tests

#include "testhfconfig.moc"
