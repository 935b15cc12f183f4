// The pure rules of decoding: remasking, logits processing, the choice of a token, random numbers.
#include "core/engine/logitsprocessing.h"
#include "core/engine/randomgenerator.h"
#include "core/engine/remasking.h"
#include "core/engine/tokenchoice.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace dice;
using namespace dice::engine;

namespace {

using Positions = std::vector<int>;

// confidence and entropy for positions 1, 3, 4, 6
const std::vector<MaskedPosition> masked{{1, 0.50f, 0.9f}, {3, 0.95f, 0.1f}, {4, 0.50f, 0.3f}, {6, 0.92f, 0.2f}};

int countKept(const std::vector<float> &probabilities)
{
    return static_cast<int>(std::count_if(probabilities.begin(), probabilities.end(), [](float p) { return p > 0; }));
}

std::vector<float> logitsOf(const std::vector<float> &probabilities)
{
    std::vector<float> logits;
    for (const float probability : probabilities)
        logits.push_back(std::log(probability));
    return logits;
}

} // namespace

class RulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void stepsShareTheBlock()
    {
        QCOMPARE(tokensOfStep(4, 3, 0), 2);
        QCOMPARE(tokensOfStep(4, 3, 1), 1);
        QCOMPARE(tokensOfStep(4, 3, 2), 1);
        for (int length = 1; length <= 16; ++length) {
            for (int steps = 1; steps <= length; ++steps) {
                int sum = 0;
                for (int step = 0; step < steps; ++step)
                    sum += tokensOfStep(length, steps, step);
                QCOMPARE(sum, length);
            }
        }
    }

    void sequentialTakesAWindowFromTheFirstMask()
    {
        const RemaskingRule rule{Remasking::Sequential};
        QCOMPARE(choosePositions(rule, masked, 1), Positions({1}));
        QCOMPARE(choosePositions(rule, masked, 3), Positions({1, 3}));
        QCOMPARE(choosePositions(rule, masked, 0), Positions({1}));
        QCOMPARE(choosePositions(rule, masked, 9), Positions({1, 3, 4, 6}));
    }

    void staticTakesTheMostConfident()
    {
        const RemaskingRule rule{Remasking::LowConfidenceStatic};
        QCOMPARE(choosePositions(rule, masked, 1), Positions({3}));
        QCOMPARE(choosePositions(rule, masked, 2), Positions({3, 6}));
        QCOMPARE(choosePositions(rule, masked, 3), Positions({1, 3, 6})); // a tie goes to the lower position
        QCOMPARE(choosePositions(rule, masked, 8), Positions({1, 3, 4, 6}));
    }

    void dynamicTakesAllAboveTheThreshold()
    {
        QCOMPARE(choosePositions({Remasking::LowConfidenceDynamic, 0.9}, masked, 1), Positions({3, 6}));
        QCOMPARE(choosePositions({Remasking::LowConfidenceDynamic, 0.99}, masked, 1), Positions({3}));
        QCOMPARE(choosePositions({Remasking::LowConfidenceDynamic, 0.0}, masked, 1), Positions({1, 3, 4, 6}));
        QCOMPARE(choosePositions({Remasking::LowConfidenceDynamic, 0.5}, masked, 1), Positions({3, 6})); // strict
        QCOMPARE(choosePositions({Remasking::LowConfidenceDynamic, 0.9}, masked, 3), Positions({1, 3, 6}));
    }

    void entropyBoundedTakesThePrefixBelowTheBound()
    {
        const auto choose = [](double bound) {
            return choosePositions({Remasking::EntropyBounded, 0.0, bound}, masked, 1);
        };
        QCOMPARE(choose(0.0), Positions({3})); // at least one
        QCOMPARE(choose(0.35), Positions({3, 6}));
        QCOMPARE(choose(0.7), Positions({3, 4, 6}));
        QCOMPARE(choose(10.0), Positions({1, 3, 4, 6}));
    }

    void everyRuleChoosesMaskedPositionsOnly()
    {
        RandomGenerator random(11);
        for (int round = 0; round < 500; ++round) {
            std::vector<MaskedPosition> candidates;
            for (int position = 0; position < 8; ++position) {
                if (random.uniform() < 0.6)
                    candidates.push_back(
                        {position, static_cast<float>(random.uniform()), static_cast<float>(3 * random.uniform())});
            }
            if (candidates.empty())
                continue;
            const RemaskingRule rule{static_cast<Remasking>(round % 4), random.uniform(), 2 * random.uniform()};
            const Positions chosen = choosePositions(rule, candidates, static_cast<int>(random.next() % 9));
            QVERIFY(!chosen.empty());
            QVERIFY(std::is_sorted(chosen.begin(), chosen.end()));
            QVERIFY(std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end());
            for (const int position : chosen)
                QVERIFY(std::any_of(candidates.begin(), candidates.end(),
                                    [&](const MaskedPosition &item) { return item.position == position; }));
        }
    }

    void topKKeepsTies()
    {
        const std::vector<float> logits{3.0f, 2.0f, 2.0f, 1.0f};
        QCOMPARE(countKept(processLogits(logits, {LogitsVariant::Sdar, 1.0, 2, 1.0})), 3);
        QCOMPARE(countKept(processLogits(logits, {LogitsVariant::Sdar, 1.0, 1, 1.0})), 1);
        QCOMPARE(countKept(processLogits(logits, {LogitsVariant::Sdar, 1.0, 0, 1.0})), 4);
    }

    // Masses 0.5, 0.25, 0.25: the mass before the second token is exactly 0.5.
    void topPVariantsDifferAtTheCut()
    {
        const std::vector<float> logits = logitsOf({0.5f, 0.25f, 0.25f});
        const auto kept = [&](LogitsVariant variant) {
            return countKept(processLogits(logits, {variant, 1.0, 0, 0.5}));
        };
        QCOMPARE(kept(LogitsVariant::Sdar), 2); // removed only above p
        QCOMPARE(kept(LogitsVariant::Dream), 2);
        QCOMPARE(kept(LogitsVariant::Scheduler), 1); // 0.5 already reaches p
        QCOMPARE(kept(LogitsVariant::Transformers), 1);
    }

    void dreamCutsTopPBeforeTopK()
    {
        // Top-p 0.6 of the whole keeps 0.4 and 0.3; after top-2 first, 0.4/0.7 does not reach 0.6 alone either,
        // but with p = 0.5 it does.
        const std::vector<float> logits = logitsOf({0.4f, 0.3f, 0.2f, 0.1f});
        QCOMPARE(countKept(processLogits(logits, {LogitsVariant::Dream, 1.0, 2, 0.5})), 2);
        QCOMPARE(countKept(processLogits(logits, {LogitsVariant::Sdar, 1.0, 2, 0.5})), 1);
    }

    void greedyChoiceHasConfidenceEntropyAndFiveAlternatives()
    {
        const std::vector<float> probabilities{0.05f, 0.4f, 0.1f, 0.2f, 0.03f, 0.15f, 0.07f};
        RandomGenerator random(1);
        const TokenChooser chooser{Sampling::Greedy, {}, TokenId(6)};
        const TokenChoice choice = chooser.choose(logitsOf(probabilities), random);
        QCOMPARE(choice.token, TokenId(1));
        QVERIFY(std::abs(choice.confidence - 0.4f) < 1e-6f);
        float entropy = 0.0f;
        for (const float probability : probabilities)
            entropy -= probability * std::log(probability);
        QVERIFY(std::abs(choice.entropy - entropy) < 1e-5f);
        QCOMPARE(choice.numAlternatives, 5);
        std::vector<int> order;
        for (const TokenCandidate &candidate : choice.alternatives)
            order.push_back(candidate.token.value);
        QCOMPARE(order, std::vector<int>({1, 3, 5, 2, 0})); // token 6 is the mask: never offered
    }

    void theMaskTokenIsNeverChosen()
    {
        RandomGenerator random(2);
        const std::vector<float> logits{1.0f, 9.0f, 2.0f};
        QCOMPARE((TokenChooser{Sampling::Greedy, {}, TokenId(1)}.choose(logits, random).token), TokenId(2));
        const TokenChooser sampler{Sampling::Random, {LogitsVariant::Scheduler, 1.0, 1, 1.0}, TokenId(1)};
        for (int i = 0; i < 20; ++i)
            QVERIFY(sampler.choose(logits, random).token != TokenId(1));
    }

    void topOneHasConfidenceOne()
    {
        RandomGenerator random(3);
        const TokenChooser chooser{Sampling::Greedy, {LogitsVariant::Scheduler, 1.0, 1, 1.0}, TokenId(0)};
        const TokenChoice choice = chooser.choose(std::vector<float>{0.0f, 1.0f, 1.5f}, random);
        QCOMPARE(choice.token, TokenId(2));
        QCOMPARE(choice.confidence, 1.0f);
        QCOMPARE(choice.entropy, 0.0f);
    }

    void aSeedGivesTheseTokens()
    {
        const std::vector<float> logits = logitsOf({0.1f, 0.2f, 0.3f, 0.25f, 0.1f, 0.05f});
        const TokenChooser chooser{Sampling::Random, {LogitsVariant::Scheduler, 1.0, 0, 1.0}, TokenId(5)};
        RandomGenerator random(42);
        std::vector<int> tokens;
        for (int i = 0; i < 12; ++i)
            tokens.push_back(chooser.choose(logits, random).token.value);
        QCOMPARE(tokens, std::vector<int>({0, 2, 3, 4, 4, 3, 3, 3, 3, 2, 3, 1}));
    }

    void samplingFollowsTheProbabilities()
    {
        const std::vector<float> probabilities{0.5f, 0.3f, 0.2f};
        std::vector<float> logits = logitsOf(probabilities);
        logits.push_back(-100.0f); // the mask token
        const TokenChooser chooser{Sampling::Random, {}, TokenId(3)};
        RandomGenerator random(5);
        std::vector<int> counts(3, 0);
        constexpr int numDraws = 20000;
        for (int i = 0; i < numDraws; ++i)
            ++counts[static_cast<std::size_t>(chooser.choose(logits, random).token.value)];
        for (std::size_t i = 0; i < counts.size(); ++i)
            QVERIFY(std::abs(counts[i] / double(numDraws) - probabilities[i]) < 0.015);
    }

    // The reference implementation of xoshiro256** after splitmix64(0).
    void randomNumbersAreThePublishedOnes()
    {
        RandomGenerator random(0);
        QCOMPARE(random.next(), std::uint64_t(0x99ec5f36cb75f2b4ULL));
        QCOMPARE(random.next(), std::uint64_t(0xbf6e1f784956452aULL));
        QCOMPARE(random.next(), std::uint64_t(0x1a5f849d4933e6e0ULL));
    }
};

QTEST_APPLESS_MAIN(RulesTest)
#include "tst_rules.moc"
