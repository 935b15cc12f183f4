// Properties of block decoding over a source of logits that depends on everything a real model may look at.
#include "core/engine/blockdecoder.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace dice;
using namespace dice::engine;

namespace {

constexpr int vocabSize = 50;
constexpr TokenId maskToken(49);

// Logits drawn from a generator whose seed is a digest of the stored tokens, the block and the row: whatever the
// decoder feeds wrongly changes the answer.
class DigestModel : public BlockModel
{
public:
    int vocabSize() const override { return ::vocabSize; }

    void reset(int blockLength, int) override
    {
        m_blockLength = blockLength;
        m_stored.clear();
    }

    void store(std::span<const TokenId> tokens) override
    {
        ++numForwards;
        QVERIFY(!tokens.empty() && tokens.size() % static_cast<std::size_t>(m_blockLength) == 0);
        m_stored.insert(m_stored.end(), tokens.begin(), tokens.end());
    }

    std::span<const float> denoise(const DenoiseCall &call) override
    {
        ++numForwards;
        m_stored.insert(m_stored.end(), call.finished.begin(), call.finished.end());
        m_logits.clear();
        for (const int row : call.rows) {
            RandomGenerator random(digest(call.block, row));
            for (int token = 0; token < ::vocabSize; ++token)
                m_logits.push_back(static_cast<float>(12.0 * random.uniform()));
        }
        return m_logits;
    }

    int numForwards = 0;

private:
    std::uint64_t digest(std::span<const TokenId> block, int row) const
    {
        std::uint64_t sum = static_cast<std::uint64_t>(row) + 1;
        for (const TokenId token : m_stored)
            sum = sum * 1099511628211ULL + static_cast<std::uint64_t>(token.value) + 7;
        for (const TokenId token : block)
            sum = sum * 6364136223846793005ULL + static_cast<std::uint64_t>(token.value) + 3;
        return sum;
    }

    int m_blockLength = 1;
    std::vector<TokenId> m_stored;
    std::vector<float> m_logits;
};

std::vector<TokenId> tokens(std::initializer_list<int> ids)
{
    std::vector<TokenId> result;
    for (const int id : ids)
        result.push_back(TokenId(id));
    return result;
}

BlockDecoding decodingFor(Remasking strategy, int blockLength, int numSteps)
{
    BlockDecoding decoding;
    decoding.blockLength = blockLength;
    decoding.numSteps = numSteps;
    decoding.rule = {strategy, 0.6, 1.5};
    decoding.chooser.maskToken = maskToken;
    decoding.maxNewTokens = 22;
    return decoding;
}

const std::vector<TokenId> prompt = tokens({1, 2, 3, 4, 5, 6, 7});

Generation generate(const BlockDecoding &decoding, const BlockStepCallback &callback = {},
                    std::span<const TokenId> from = prompt)
{
    DigestModel model;
    return BlockDecoder(model, decoding, callback).generate(from);
}

} // namespace

class DecoderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void everyStepUnmasksAndNothingIsTakenBack_data()
    {
        QTest::addColumn<int>("strategy");
        QTest::addColumn<int>("blockLength");
        QTest::addColumn<int>("numSteps");
        for (int strategy = 0; strategy < 4; ++strategy) {
            for (const int length : {1, 4, 8}) {
                for (const int steps : {1, 3, 8}) {
                    const QByteArray name = QByteArray(toString(static_cast<Remasking>(strategy))) + "_b"
                        + QByteArray::number(length) + "_s" + QByteArray::number(steps);
                    QTest::newRow(name.constData()) << strategy << length << steps;
                }
            }
        }
    }

    void everyStepUnmasksAndNothingIsTakenBack()
    {
        QFETCH(int, strategy);
        QFETCH(int, blockLength);
        QFETCH(int, numSteps);
        std::vector<BlockStep> steps;
        const Generation result = generate(decodingFor(static_cast<Remasking>(strategy), blockLength, numSteps),
                                           [&](const BlockStep &step) {
                                               steps.push_back(step);
                                               return StepAction::Continue;
                                           });
        QCOMPARE(static_cast<int>(steps.size()), result.numSteps);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const BlockStep &step = steps[i];
            QCOMPARE(static_cast<int>(step.cells.size()), blockLength);
            QVERIFY(std::any_of(step.cells.begin(), step.cells.end(),
                                [](const BlockCell &cell) { return cell.state == CellState::Committed; }));
            if (i == 0)
                continue;
            const BlockStep &before = steps[i - 1];
            if (step.block != before.block) {
                QCOMPARE(step.block.value, before.block.value + 1);
                QCOMPARE(step.blockStart, before.blockStart + blockLength);
                QCOMPARE(step.step, 0);
                continue;
            }
            QCOMPARE(step.step, before.step + 1);
            for (std::size_t at = 0; at < step.cells.size(); ++at) {
                if (before.cells[at].state == CellState::Masked)
                    continue;
                QCOMPARE(step.cells[at].state, CellState::Kept);
                QCOMPARE(step.cells[at].choice, before.cells[at].choice);
                QCOMPARE(step.input[at], before.cells[at].choice.token);
            }
        }
        QCOMPARE(static_cast<int>(result.tokens.size()), 22);
        QCOMPARE(result.stopReason, StopReason::LengthLimit);
    }

    void theStepMapSaysWhenATokenCame()
    {
        std::vector<TokenId> seen(64);
        std::vector<int> when(64, 0);
        int count = 0;
        const Generation result
            = generate(decodingFor(Remasking::LowConfidenceDynamic, 4, 4), [&](const BlockStep &step) {
                  ++count;
                  for (std::size_t i = 0; i < step.cells.size(); ++i) {
                      const std::size_t position = static_cast<std::size_t>(step.blockStart) + i;
                      if (step.cells[i].state == CellState::Committed) {
                          seen[position] = step.cells[i].choice.token;
                          when[position] = count;
                      }
                  }
                  return StepAction::Continue;
              });
        for (std::size_t i = 0; i < result.tokens.size(); ++i) {
            QCOMPARE(result.tokens[i], seen[prompt.size() + i]);
            QCOMPARE(result.stepMap[i], when[prompt.size() + i]);
        }
    }

    void overlappedForwardsGiveTheSameAnswer()
    {
        for (int strategy = 0; strategy < 4; ++strategy) {
            BlockDecoding decoding = decodingFor(static_cast<Remasking>(strategy), 4, 4);
            decoding.chooser.sampling = Sampling::Random;
            decoding.plan = ForwardPlan::Separate;
            const Generation separate = generate(decoding);
            decoding.plan = ForwardPlan::Overlapped;
            const Generation overlapped = generate(decoding);
            QCOMPARE(overlapped.tokens, separate.tokens);
            QCOMPARE(overlapped.stepMap, separate.stepMap);
            QCOMPARE(overlapped.numSteps, separate.numSteps);
            QCOMPARE(overlapped.numForwards, overlapped.numSteps + 1); // and the prefill
            QCOMPARE(separate.numForwards, separate.numSteps + 1 + 7); // 7 blocks hold 22 tokens behind 3 of the prompt
        }
    }

    void aSeedDecidesTheAnswer()
    {
        BlockDecoding decoding = decodingFor(Remasking::LowConfidenceStatic, 4, 4);
        decoding.chooser.sampling = Sampling::Random;
        std::set<std::vector<TokenId>> answers;
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            decoding.seed = seed;
            const Generation first = generate(decoding);
            QCOMPARE(generate(decoding).tokens, first.tokens);
            answers.insert(first.tokens);
        }
        QCOMPARE(answers.size(), std::size_t(8));
    }

    void aStopTokenEndsTheAnswer()
    {
        BlockDecoding decoding = decodingFor(Remasking::Sequential, 4, 4);
        const Generation whole = generate(decoding);
        const TokenId stop = whole.tokens[9];
        const auto first = std::find(whole.tokens.begin(), whole.tokens.end(), stop) - whole.tokens.begin();
        decoding.stopTokens = {stop};
        const Generation ended = generate(decoding);
        QCOMPARE(ended.stopReason, StopReason::StopToken);
        QCOMPARE(ended.tokens, std::vector<TokenId>(whole.tokens.begin(), whole.tokens.begin() + first + 1));
        QCOMPARE(ended.stepMap.size(), ended.tokens.size());
    }

    void aStopTokenOfThePromptDoesNot()
    {
        BlockDecoding decoding = decodingFor(Remasking::Sequential, 4, 4);
        const Generation whole = generate(decoding);
        const auto stop = std::find_if(prompt.rbegin(), prompt.rend(), [&](TokenId token) {
            return std::find(whole.tokens.begin(), whole.tokens.end(), token) == whole.tokens.end();
        });
        QVERIFY(stop - prompt.rbegin() < 3); // it shares the first block with the answer
        decoding.stopTokens = {*stop};
        QCOMPARE(generate(decoding).tokens, whole.tokens);
    }

    void aMaskTokenOfThePromptStays()
    {
        const std::vector<TokenId> odd = tokens({1, 2, 3, 4, 5, maskToken.value});
        std::vector<BlockStep> steps;
        generate(
            decodingFor(Remasking::Sequential, 4, 4),
            [&](const BlockStep &step) {
                steps.push_back(step);
                return StepAction::Continue;
            },
            odd);
        QVERIFY(!steps.front().cells[1].wasMasked);
        QCOMPARE(steps.front().input[1], maskToken);
    }

    void stopEndsWithinTheStep()
    {
        for (int stopAt = 1; stopAt <= 9; ++stopAt) {
            DigestModel model;
            int numCalls = 0;
            int forwardsAtStop = 0;
            const BlockStepCallback callback = [&](const BlockStep &) {
                forwardsAtStop = model.numForwards;
                return ++numCalls == stopAt ? StepAction::Stop : StepAction::Continue;
            };
            const Generation result
                = BlockDecoder(model, decodingFor(Remasking::Sequential, 4, 4), callback).generate(prompt);
            QCOMPARE(numCalls, stopAt);
            QCOMPARE(model.numForwards, forwardsAtStop);
            QCOMPARE(result.stopReason, StopReason::Stopped);
            QCOMPARE(static_cast<int>(result.tokens.size()), stopAt); // sequential: one a step, no hole before it
            QVERIFY(std::find(result.tokens.begin(), result.tokens.end(), maskToken) == result.tokens.end());
        }
    }

    void masksThatAreLeftGiveAWarning()
    {
        BlockDecoding decoding = decodingFor(Remasking::EntropyBounded, 8, 2);
        decoding.rule.entropyBound = 0.0; // one token a step, two steps a block of eight
        const Generation result = generate(decoding);
        QVERIFY(result.numMasksLeft > 0);
        QCOMPARE(result.numMasksLeft,
                 static_cast<int>(std::count(result.tokens.begin(), result.tokens.end(), maskToken)));
        QCOMPARE(result.warnings.size(), std::size_t(1));
        QVERIFY(result.warnings.front().find("masked") != std::string::npos);
        QVERIFY(generate(decodingFor(Remasking::EntropyBounded, 8, 8)).warnings.empty());
    }

    void anEmptyPromptIsDecodedToo()
    {
        const Generation result = generate(decodingFor(Remasking::LowConfidenceStatic, 4, 4), {}, {});
        QCOMPARE(static_cast<int>(result.tokens.size()), 22);
        QCOMPARE(result.numForwards, result.numSteps);
    }

    void infillingKeepsWhatIsGiven()
    {
        std::vector<TokenId> text = tokens({1, 2, 3, 4, 5, 49, 49, 8, 9, 10, 11, 12, 49, 14, 15, 16, 17, 18});
        for (int strategy = 0; strategy < 4; ++strategy) {
            for (const ForwardPlan plan : {ForwardPlan::Separate, ForwardPlan::Overlapped}) {
                BlockDecoding decoding = decodingFor(static_cast<Remasking>(strategy), 4, 4);
                decoding.plan = plan;
                decoding.stopTokens = tokens({9}); // no token ends an infilling
                DigestModel model;
                const Generation result = BlockDecoder(model, decoding, {}).infill(text);
                QCOMPARE(result.tokens.size(), text.size());
                QCOMPARE(result.numMasksLeft, 0);
                for (std::size_t i = 0; i < text.size(); ++i) {
                    QCOMPARE(result.stepMap[i] > 0, text[i] == maskToken);
                    if (text[i] != maskToken)
                        QCOMPARE(result.tokens[i], text[i]);
                    QVERIFY(result.tokens[i] != maskToken);
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(DecoderTest)
#include "tst_decoder.moc"
