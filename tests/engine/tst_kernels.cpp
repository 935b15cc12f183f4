// The loops of a decoding step on the CPU against the same formulas in double precision, at awkward sizes.
#include "core/engine/cpu/kernels.h"
#include "core/engine/cpu/packedlinear.h"
#include "core/engine/randomgenerator.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <numeric>

using namespace dice::engine;
using namespace dice::engine::cpu;

namespace {

std::vector<float> randomFloats(std::size_t count, std::uint64_t seed, double width = 1.0)
{
    RandomGenerator random(seed);
    std::vector<float> values(count);
    for (float &value : values)
        value = static_cast<float>(width * (2.0 * random.uniform() - 1.0));
    return values;
}

void toBFloat16(std::vector<float> &values)
{
    for (float &value : values)
        value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffff0000u);
}

} // namespace

class KernelsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void linearEqualsTheFormula_data()
    {
        QTest::addColumn<int>("numRows");
        QTest::addColumn<int>("numOut");
        QTest::addColumn<int>("numIn");
        QTest::addColumn<bool>("isNarrow");
        for (const int numRows : {1, 2, 3, 7, 8, 16, 17, 41}) {
            for (const auto &[numOut, numIn] : {std::pair{16, 8}, {37, 50}, {1, 3}, {160, 64}}) {
                for (const bool isNarrow : {false, true})
                    QTest::addRow("%d x %d x %d %s", numRows, numOut, numIn, isNarrow ? "bf16" : "f32")
                        << numRows << numOut << numIn << isNarrow;
            }
        }
    }

    void linearEqualsTheFormula()
    {
        QFETCH(int, numRows);
        QFETCH(int, numOut);
        QFETCH(int, numIn);
        QFETCH(bool, isNarrow);
        const std::vector<float> x = randomFloats(static_cast<std::size_t>(numRows * numIn), 1);
        std::vector<float> weights = randomFloats(static_cast<std::size_t>(numOut * numIn), 2);
        if (isNarrow)
            toBFloat16(weights);
        constexpr float untouched = 77.0f;
        std::vector<float> y(static_cast<std::size_t>(numRows * numOut) + 16, untouched);
        PackedLinear(weights, numOut, numIn).apply(x.data(), numRows, y.data());
        for (int row = 0; row < numRows; ++row) {
            for (int out = 0; out < numOut; ++out) {
                double sum = 0.0;
                for (int k = 0; k < numIn; ++k)
                    sum += static_cast<double>(x[static_cast<std::size_t>(row * numIn + k)])
                        * weights[static_cast<std::size_t>(out * numIn + k)];
                QVERIFY(std::abs(sum - y[static_cast<std::size_t>(row * numOut + out)]) < 1e-5);
            }
        }
        for (std::size_t i = static_cast<std::size_t>(numRows * numOut); i < y.size(); ++i)
            QCOMPARE(y[i], untouched);
    }

    void productsReadStridedRows()
    {
        const std::vector<float> x = randomFloats(5 * 30, 3);
        const std::vector<float> panel = randomFloats(20 * 24, 4);
        std::vector<float> y(5 * 40, 0.0f);
        multiply(RowsIn{x.data(), 30, 5, 20}, Panel<float>{panel.data(), 24}, RowsOut{y.data(), 40, 11});
        for (std::size_t row = 0; row < 5; ++row) {
            for (std::size_t column = 0; column < 16; ++column) {
                double sum = 0.0;
                for (std::size_t k = 0; k < 20; ++k)
                    sum += static_cast<double>(x[row * 30 + k]) * panel[k * 24 + column];
                QVERIFY(std::abs((column < 11 ? sum : 0.0) - y[row * 40 + column]) < 1e-5);
            }
        }
    }

    void rmsNormEqualsTheFormula()
    {
        for (const int length : {1, 16, 32, 50, 320}) {
            const std::vector<float> x = randomFloats(static_cast<std::size_t>(length), 5, 3.0);
            const std::vector<float> weight = randomFloats(static_cast<std::size_t>(length), 6);
            std::vector<float> out = x;
            rmsNorm(out.data(), weight.data(), 1e-6f, out.data(), length);
            const double squares = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
            for (std::size_t i = 0; i < x.size(); ++i)
                QVERIFY(std::abs(x[i] / std::sqrt(squares / length + 1e-6) * weight[i] - out[i]) < 1e-5);
        }
    }

    void rotationTurnsPairsOfHalves()
    {
        const std::vector<float> x = randomFloats(16, 7);
        std::vector<float> cos, sin;
        for (int i = 0; i < 16; ++i) {
            cos.push_back(std::cos(0.3f * static_cast<float>(i % 8)));
            sin.push_back(std::sin(0.3f * static_cast<float>(i % 8)));
        }
        std::vector<float> turned = x;
        rotate(turned.data(), cos.data(), sin.data(), 16);
        for (std::size_t i = 0; i < 8; ++i) {
            QVERIFY(std::abs(turned[i] - (x[i] * cos[i] - x[i + 8] * sin[i])) < 1e-6f);
            QVERIFY(std::abs(turned[i + 8] - (x[i + 8] * cos[i] + x[i] * sin[i])) < 1e-6f);
        }
    }

    void softmaxHidesWhatIsNotVisible()
    {
        for (const int numVisible : {1, 5, 16, 33, 40}) {
            std::vector<float> scores = randomFloats(40, 8, 60.0); // far apart: small exponentials vanish
            const std::vector<float> before = scores;
            softmax(scores.data(), 0.5f, numVisible, 40);
            double best = -1e9, sum = 0.0;
            for (int i = 0; i < numVisible; ++i)
                best = std::max(best, 0.5 * before[static_cast<std::size_t>(i)]);
            for (int i = 0; i < numVisible; ++i)
                sum += std::exp(0.5 * before[static_cast<std::size_t>(i)] - best);
            for (int i = 0; i < 40; ++i) {
                const double expected
                    = i < numVisible ? std::exp(0.5 * before[static_cast<std::size_t>(i)] - best) / sum : 0.0;
                QVERIFY(std::abs(expected - scores[static_cast<std::size_t>(i)]) < 1e-6);
            }
        }
    }

    void siluIsExactFarOutToo()
    {
        std::vector<float> gate = randomFloats(50, 9, 6.0);
        gate[0] = -200.0f;
        gate[1] = 200.0f;
        gate[2] = -87.5f;
        gate[3] = 0.0f;
        const std::vector<float> up = randomFloats(50, 10);
        std::vector<float> out(50);
        gatedSilu(gate.data(), up.data(), out.data(), 50);
        for (std::size_t i = 0; i < 50; ++i) {
            const double expected = gate[i] / (1.0 + std::exp(-static_cast<double>(gate[i]))) * up[i];
            QVERIFY(std::abs(expected - out[i]) < 2e-6 * std::max(1.0, std::abs(expected)));
        }
    }
};

QTEST_APPLESS_MAIN(KernelsTest)
#include "tst_kernels.moc"
