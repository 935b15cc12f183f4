// A tiny random model: stored numbers, exact answers, and folders that lie.
#include "core/engine/engine.h"
#include "core/engine/randommodel.h"
#include "core/formats/safetensors.h"

#include <QtTest>

#include <algorithm>
#include <fstream>

using namespace dice;
using namespace dice::engine;

namespace {

constexpr std::uint64_t seed = 20;

DecodingOptions options(int maxNewTokens = 24)
{
    DecodingOptions result;
    result.strategy = Remasking::LowConfidenceStatic;
    result.maxNewTokens = maxNewTokens;
    return result;
}

std::vector<TokenId> somePrompt(int count)
{
    std::vector<TokenId> prompt;
    for (int i = 0; i < count; ++i)
        prompt.push_back(TokenId((37 * i + 11) % 256));
    return prompt;
}

std::vector<int> ids(const std::vector<TokenId> &tokens)
{
    std::vector<int> result;
    for (const TokenId token : tokens)
        result.push_back(token.value);
    return result;
}

void replaceInFile(const std::filesystem::path &file, const std::string &from, const std::string &to)
{
    std::ifstream input(file);
    std::string text(std::istreambuf_iterator<char>(input), {});
    const std::size_t at = text.find(from);
    QVERIFY2(at != std::string::npos, from.c_str());
    text.replace(at, from.size(), to);
    std::ofstream(file) << text;
}

} // namespace

class ModelTest : public QObject
{
    Q_OBJECT

private:
    static Result<Engine> load(const QTemporaryDir &folder, const std::string &dtype = "float32")
    {
        return Engine::load({folder.path().toStdString(), "cpu", dtype});
    }

    static void make(const QTemporaryDir &folder, const formats::ModelConfig &config = tinyModelConfig())
    {
        const Status status = makeRandomModel(folder.path().toStdString(), config, seed);
        QVERIFY2(status, status ? "" : status.error().message.c_str());
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void initTestCase() { setNumThreads(1); }

    void greedyTokensAreTheStoredOnes()
    {
        const QTemporaryDir folder;
        make(folder);
        Result<Engine> engine = load(folder);
        QVERIFY2(engine, engine ? "" : engine.error().message.c_str());
        const Result<Answer> answer = engine->generateFromTokens(somePrompt(11), options(16));
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QCOMPARE(ids(answer->generation.tokens),
                 std::vector<int>({221, 105, 105, 140, 17, 158, 44, 44, 44, 44, 44, 44, 85, 85, 85, 85}));
        QCOMPARE(answer->generation.stepMap, std::vector<int>({1, 3, 4, 5, 2, 9, 8, 6, 7, 11, 10, 13, 12, 14, 15, 16}));
    }

    void aSeedGivesTheStoredTokens()
    {
        const QTemporaryDir folder;
        make(folder);
        Result<Engine> engine = load(folder);
        DecodingOptions sampled = options(12);
        sampled.temperature = 0.8;
        sampled.topK = 20;
        sampled.topP = 0.95;
        sampled.seed = 99;
        const Result<Answer> answer = engine->generateFromTokens(somePrompt(8), sampled);
        QVERIFY(answer);
        QCOMPARE(ids(answer->generation.tokens),
                 std::vector<int>({214, 107, 105, 221, 221, 17, 167, 17, 159, 85, 200, 38}));
        sampled.seed = 100;
        QVERIFY(engine->generateFromTokens(somePrompt(8), sampled)->generation.tokens != answer->generation.tokens);
    }

    void overlappedForwardsGiveTheSameNumbers()
    {
        const QTemporaryDir folder;
        make(folder);
        Result<Engine> engine = load(folder);
        for (const int promptLength : {3, 8, 13}) {
            std::vector<CanvasStep> steps[2];
            for (const ForwardPlan plan : {ForwardPlan::Separate, ForwardPlan::Overlapped}) {
                auto &kept = steps[plan == ForwardPlan::Overlapped];
                QVERIFY(engine->generateFromTokens(
                    somePrompt(promptLength), options(),
                    [&](const CanvasStep &step) {
                        kept.push_back(step);
                        return StepAction::Continue;
                    },
                    plan));
            }
            QCOMPARE(steps[0].size(), steps[1].size());
            for (std::size_t i = 0; i < steps[0].size(); ++i) {
                for (std::size_t at = 0; at < steps[0][i].cells.size(); ++at) {
                    const CanvasCell &separate = steps[0][i].cells[at];
                    const CanvasCell &overlapped = steps[1][i].cells[at];
                    QCOMPARE(overlapped.token, separate.token);
                    QCOMPARE(overlapped.state, separate.state);
                    QVERIFY(std::abs(overlapped.confidence - separate.confidence) < 1e-4f);
                    QVERIFY(std::abs(overlapped.entropy - separate.entropy) < 1e-4f);
                }
            }
        }
    }

    void aLongPromptIsStoredInPortions()
    {
        const QTemporaryDir folder;
        make(folder);
        Result<Engine> engine = load(folder);
        const std::vector<TokenId> prompt = somePrompt(1203);
        const Result<Answer> first = engine->generateFromTokens(prompt, options(8));
        const Result<Answer> again = engine->generateFromTokens(prompt, options(8));
        QVERIFY(first && again);
        QCOMPARE(first->generation.tokens, again->generation.tokens);
        std::vector<TokenId> other = prompt;
        other[3] = TokenId(200); // its first tokens matter still
        CanvasStep one, two;
        const auto keep = [](CanvasStep &into) {
            return [&into](const CanvasStep &step) {
                into = step;
                return StepAction::Stop;
            };
        };
        QVERIFY(engine->generateFromTokens(prompt, options(8), keep(one)));
        QVERIFY(engine->generateFromTokens(other, options(8), keep(two)));
        QVERIFY(one != two);
    }

    void aStepShowsEveryPosition()
    {
        const QTemporaryDir folder;
        make(folder);
        Result<Engine> engine = load(folder);
        std::vector<CanvasStep> steps;
        const Result<Answer> answer
            = engine->generateFromTokens(somePrompt(6), options(6), [&](const CanvasStep &step) {
                  steps.push_back(step);
                  return StepAction::Continue;
              });
        QVERIFY(answer);
        QCOMPARE(steps.front().cells.size(), std::size_t(4));
        QCOMPARE(steps.front().cells[0].position, -2); // two tokens of the prompt share the block
        QCOMPARE(steps.front().cells[0].state, CellState::Kept);
        QCOMPARE(steps.front().cells[0].confidence, 1.0f);
        for (const CanvasStep &step : steps) {
            for (const CanvasCell &cell : step.cells) {
                if (cell.state == CellState::Kept)
                    continue;
                QCOMPARE(cell.alternatives.size(), std::size_t(5));
                QCOMPARE(cell.alternatives.front().token, cell.token);
                QVERIFY(cell.confidence > 0.0f && cell.confidence <= 1.0f);
                QVERIFY(cell.entropy >= 0.0f);
            }
        }
    }

    void stopEndsWithinTheStep()
    {
        const QTemporaryDir folder;
        make(folder);
        Result<Engine> engine = load(folder);
        int count = 0;
        const Result<Answer> answer = engine->generateFromTokens(somePrompt(8), options(), [&](const CanvasStep &) {
            return ++count == 5 ? StepAction::Stop : StepAction::Continue;
        });
        QVERIFY(answer);
        QCOMPARE(count, 5);
        QCOMPARE(answer->result.stopReason, StopReason::Stopped);
        QCOMPARE(answer->result.numForwards, 6); // with the prefill
    }

    void theMessageGoesThroughTheTemplate()
    {
        const QTemporaryDir folder;
        formats::ModelConfig config = tinyModelConfig();
        make(folder, config);
        Result<Engine> engine = load(folder);
        const Result<std::vector<TokenId>> plain = engine->promptTokens("ab");
        QVERIFY2(plain, plain ? "" : plain.error().message.c_str());
        QCOMPARE(plain->size(), std::size_t(5)); // <|im_start|> a b <|im_end|> <|im_start|>
        QCOMPARE(plain->front(), TokenId(257));
        QCOMPARE(plain->back(), TokenId(257));

        const QTemporaryDir padded;
        config.padPromptToBlock = true;
        make(padded, config);
        engine = load(padded);
        const Result<std::vector<TokenId>> whole = engine->promptTokens("ab");
        QCOMPARE(ids(*whole), std::vector<int>({256, 256, 256, 257, 'a', 'b', 258, 257}));
    }

    void bfloat16Runs()
    {
        const QTemporaryDir folder;
        formats::ModelConfig config = tinyModelConfig();
        config.torchDtype = formats::DType::BF16;
        make(folder, config);
        Result<Engine> engine = load(folder, "bfloat16");
        QVERIFY2(engine, engine ? "" : engine.error().message.c_str());
        QCOMPARE(engine->info().dtype, std::string("bfloat16"));
        const Result<Answer> answer = engine->generateFromTokens(somePrompt(8), options(8));
        QVERIFY2(answer, answer ? "" : answer.error().detail.c_str());
        QCOMPARE(answer->generation.tokens.size(), std::size_t(8));
    }

    void wrongUseIsRefusedWithASentence()
    {
        const QTemporaryDir folder;
        make(folder);
        Result<Engine> engine = load(folder);
        DecodingOptions wrong = options();
        wrong.temperature = -1;
        QCOMPARE(engine->generateFromTokens(somePrompt(4), wrong).error().code, ErrorCode::InvalidArgument);
        const std::vector<TokenId> outside{TokenId(5000)};
        QCOMPARE(engine->generateFromTokens(outside, options()).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(engine->generateFromTokens(somePrompt(4096), options()).error().code, ErrorCode::InvalidArgument);
        QVERIFY(!Engine::load({folder.path().toStdString(), "abacus"}));
        QVERIFY(!Engine::load({folder.path().toStdString(), "cpu", "int3"}));
        QVERIFY(!Engine::load({folder.path().toStdString(), "cuda:999"}));
    }

    void lyingFoldersAreRefusedWithASentence_data()
    {
        QTest::addColumn<QString>("fault");
        for (const char *fault :
             {"no folder", "no config", "config is no JSON", "unknown architecture", "other architecture", "no weights",
              "half of the weights", "no header", "wrong shape", "missing tensor", "integer weights", "no tokenizer",
              "tokenizer too large", "mask token outside", "no mask token", "endless block"})
            QTest::newRow(fault) << fault;
    }

    void lyingFoldersAreRefusedWithASentence()
    {
        QFETCH(QString, fault);
        const QTemporaryDir temporary;
        const std::filesystem::path folder = temporary.path().toStdString();
        make(temporary);
        spoil(folder, fault);
        const Result<Engine> engine
            = Engine::load({fault == "no folder" ? folder / "absent" : folder, "cpu", "float32"});
        QVERIFY(!engine);
        QVERIFY(engine.error().code != ErrorCode::Internal);
        QVERIFY(engine.error().message.size() > 20);
        qInfo("%s", engine.error().message.c_str());
    }

private:
    static void spoil(const std::filesystem::path &folder, const QString &fault)
    {
        const std::filesystem::path config = folder / "config.json";
        const std::filesystem::path weights = folder / "model.safetensors";
        if (fault == "no config")
            std::filesystem::remove(config);
        else if (fault == "config is no JSON")
            std::ofstream(config) << "{\"hidden_size\": ";
        else if (fault == "unknown architecture")
            replaceInFile(config, "SDARForCausalLM", "MambaForCausalLM");
        else if (fault == "other architecture") {
            formats::ModelConfig other = tinyModelConfig();
            other.architecture = formats::Architecture::Qwen3;
            QVERIFY(formats::writeModelConfig(folder, other));
        } else if (fault == "no weights")
            std::filesystem::remove(weights);
        else if (fault == "half of the weights")
            std::filesystem::resize_file(weights, std::filesystem::file_size(weights) / 2);
        else if (fault == "no header")
            std::filesystem::resize_file(weights, 5);
        else if (fault == "tokenizer too large" || fault == "wrong shape") {
            formats::ModelConfig other = tinyModelConfig();
            other.vocabSize = fault == "wrong shape" ? 280 : 258;
            other.maskTokenId = other.padTokenId = other.bosTokenId = 0;
            other.eosTokenIds = {0};
            QVERIFY(formats::writeModelConfig(folder, other));
            if (fault != "wrong shape")
                rewriteWeights(folder, [](auto &view) {
                    if (view.shape.at(0) == 272) {
                        view.shape[0] = 258;
                        view.bytes = view.bytes.first(258 * 32 * sizeof(float));
                    }
                    return true;
                });
        } else if (fault == "missing tensor")
            rewriteWeights(folder, [](auto &view) { return view.name != "model.norm.weight"; });
        else if (fault == "integer weights")
            rewriteWeights(folder, [](auto &view) {
                if (view.name == "model.norm.weight")
                    view.dtype = formats::DType::I32;
                return true;
            });
        else if (fault == "no tokenizer") {
            for (const auto &entry : std::filesystem::directory_iterator(folder)) {
                if (entry.path() != config && entry.path() != weights)
                    std::filesystem::remove(entry.path());
            }
        } else if (fault == "mask token outside")
            replaceInFile(config, "\"mask_token_id\": 259", "\"mask_token_id\": 2590");
        else if (fault == "endless block")
            replaceInFile(config, "\"block_size\": 4", "\"block_size\": 100000");
        else if (fault == "no mask token")
            replaceInFile(config, "\"mask_token_id\": 259", "\"other\": 1");
    }

    template <typename Edit> static void rewriteWeights(const std::filesystem::path &folder, Edit edit)
    {
        const Result<formats::Weights> weights = formats::Weights::openFolder(folder);
        QVERIFY(weights);
        std::vector<formats::TensorView> views;
        for (formats::TensorView view : weights->tensors()) {
            if (edit(view))
                views.push_back(view);
        }
        QVERIFY(formats::writeSafetensors(folder / "model.safetensors", views));
    }
};

QTEST_APPLESS_MAIN(ModelTest)
#include "tst_model.moc"
