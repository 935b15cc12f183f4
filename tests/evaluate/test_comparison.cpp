// The rule of equality, for every dtype and structure.
#include "core/evaluate/comparison.h"
#include "core/evaluate/precisionevidence.h"
#include "tests/evaluate/callvalues.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <limits>

using namespace dice::evaluate;

class TestComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void floatsWithinTolerance();
    void floatsOutsideToleranceNameTheWorst();
    void toleranceGrowsWithTheReference();
    void nanEqualsNothing();
    void infinitiesBySign();
    void sixteenBitsAlwaysOneHundredth_data();
    void sixteenBitsAlwaysOneHundredth();
    void eightBitFormats_data();
    void eightBitFormats();
    void integersMustBeEqual_data();
    void integersMustBeEqual();
    void booleansMustBeEqual();
    void complexByDistance();
    void shapesDoNotBroadcast();
    void dtypesMustAgree();
    void listCountsAsTuple();
    void dictsByKey();
    void scalars();
    void stridedEqualsContiguous();
    void emptyTensors();
    void halfPrecisionBetraysItself();
};

void TestComparison::floatsWithinTolerance()
{
    const auto expected = tensorOf<float>("float32", {1.0f, 0.0f, -2.0f});
    const auto actual = tensorOf<float>("float32", {1.00015f, 0.00009f, -2.0002f});
    QVERIFY(compare(expected, actual, 1e-4).isEqual);
    QVERIFY(!compare(expected, tensorOf<float>("float32", {1.0003f, 0.0f, -2.0f}), 1e-4).isEqual);
    const auto wide = tensorOf<double>("float64", {1.0});
    QVERIFY(compare(wide, tensorOf<double>("float64", {1.0001}), 1e-4).isEqual);
    QVERIFY(!compare(wide, tensorOf<double>("float64", {1.001}), 1e-4).isEqual);
}

void TestComparison::floatsOutsideToleranceNameTheWorst()
{
    const Comparison found
        = compare(tensorOf<float>("float32", {1, 2, 3, 4}), tensorOf<float>("float32", {1, 2.5f, 5, 4}), 1e-2);
    QVERIFY(!found.isEqual);
    QCOMPARE(found.worstIndex, 2);
    QCOMPARE(found.expected, 3.0);
    QCOMPARE(found.actual, 5.0);
    QCOMPARE(found.worstError, 2.0);
    QCOMPARE(found.numWrong, 2);
}

void TestComparison::toleranceGrowsWithTheReference()
{
    const auto expected = tensorOf<float>("float32", {1000.0f});
    QVERIFY(compare(expected, tensorOf<float>("float32", {1009.0f}), 1e-2).isEqual);
    QVERIFY(!compare(expected, tensorOf<float>("float32", {1011.0f}), 1e-2).isEqual);
}

void TestComparison::nanEqualsNothing()
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(!compare(tensorOf<float>("float32", {0.0f}), tensorOf<float>("float32", {nan}), 1e-2).isEqual);
    QVERIFY(!compare(tensorOf<float>("float32", {nan}), tensorOf<float>("float32", {nan}), 1e-2).isEqual);
    QVERIFY(!compare(tensorOf<float>("float32", {nan}), tensorOf<float>("float32", {0.0f}), 1e-2).isEqual);
}

void TestComparison::infinitiesBySign()
{
    const float infinity = std::numeric_limits<float>::infinity();
    const auto expected = tensorOf<float>("float32", {infinity});
    QVERIFY(compare(expected, expected, 1e-2).isEqual);
    QVERIFY(!compare(expected, tensorOf<float>("float32", {-infinity}), 1e-2).isEqual);
    QVERIFY(!compare(expected, tensorOf<float>("float32", {3.0f}), 1e-2).isEqual);
    QVERIFY(!compare(tensorOf<float>("float32", {3.0f}), expected, 1e-2).isEqual);
}

void TestComparison::sixteenBitsAlwaysOneHundredth_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<quint16>("one");
    QTest::addColumn<quint16>("near"); // about 1.008
    QTest::addColumn<quint16>("far"); // about 1.03
    QTest::newRow("float16") << "float16" << quint16(0x3c00) << quint16(0x3c08) << quint16(0x3c20);
    QTest::newRow("bfloat16") << "bfloat16" << quint16(0x3f80) << quint16(0x3f81) << quint16(0x3f84);
}

void TestComparison::sixteenBitsAlwaysOneHundredth()
{
    QFETCH(QString, dtype);
    QFETCH(quint16, one);
    QFETCH(quint16, near);
    QFETCH(quint16, far);
    const std::string name = dtype.toStdString();
    const auto expected = tensorOf<quint16>(name, {one});
    QVERIFY(compare(expected, tensorOf<quint16>(name, {near}), 1e-4).isEqual);
    QVERIFY(!compare(expected, tensorOf<quint16>(name, {far}), 1e-4).isEqual);
}

void TestComparison::eightBitFormats_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<quint8>("one");
    QTest::addColumn<quint8>("two");
    QTest::addColumn<quint8>("nan");
    QTest::newRow("e4m3fn") << "float8_e4m3fn" << quint8(0x38) << quint8(0x40) << quint8(0x7f);
    QTest::newRow("e5m2") << "float8_e5m2" << quint8(0x3c) << quint8(0x40) << quint8(0x7d);
    QTest::newRow("e4m3fnuz") << "float8_e4m3fnuz" << quint8(0x40) << quint8(0x48) << quint8(0x80);
    QTest::newRow("e5m2fnuz") << "float8_e5m2fnuz" << quint8(0x40) << quint8(0x44) << quint8(0x80);
}

void TestComparison::eightBitFormats()
{
    QFETCH(QString, dtype);
    QFETCH(quint8, one);
    QFETCH(quint8, two);
    QFETCH(quint8, nan);
    const std::string name = dtype.toStdString();
    const NumberFormat &format = *findNumberFormat(name);
    QCOMPARE(realValue(format, reinterpret_cast<const std::byte *>(&one)), 1.0);
    QCOMPARE(realValue(format, reinterpret_cast<const std::byte *>(&two)), 2.0);
    QVERIFY(std::isnan(realValue(format, reinterpret_cast<const std::byte *>(&nan))));
    QVERIFY(compare(tensorOf<quint8>(name, {one}), tensorOf<quint8>(name, {one}), 1e-4).isEqual);
    QVERIFY(!compare(tensorOf<quint8>(name, {one}), tensorOf<quint8>(name, {two}), 1e-2).isEqual);
}

void TestComparison::integersMustBeEqual_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<int>("sizeBytes");
    for (const auto &[name, size] : {std::pair{"int8", 1},
                                     {"uint8", 1},
                                     {"int16", 2},
                                     {"uint16", 2},
                                     {"int32", 4},
                                     {"uint32", 4},
                                     {"int64", 8},
                                     {"uint64", 8}})
        QTest::newRow(name) << name << size;
}

void TestComparison::integersMustBeEqual()
{
    QFETCH(QString, dtype);
    QFETCH(int, sizeBytes);
    std::vector<std::uint8_t> hundred(static_cast<std::size_t>(sizeBytes), 0);
    hundred[0] = 100;
    std::vector<std::uint8_t> other = hundred;
    other[0] = 101;
    const std::string name = dtype.toStdString();
    QVERIFY(compare(tensorOf(name, hundred, {1}), tensorOf(name, hundred, {1}), 1e-2).isEqual);
    const Comparison found = compare(tensorOf(name, hundred, {1}), tensorOf(name, other, {1}), 1e-1);
    QVERIFY(!found.isEqual);
    QCOMPARE(found.expected, 100.0);
    QCOMPARE(found.actual, 101.0);
}

void TestComparison::booleansMustBeEqual()
{
    const auto expected = tensorOf<quint8>("bool", {0, 1});
    QVERIFY(compare(expected, tensorOf<quint8>("bool", {0, 1}), 1e-2).isEqual);
    QVERIFY(!compare(expected, tensorOf<quint8>("bool", {1, 1}), 1.0).isEqual);
}

void TestComparison::complexByDistance()
{
    const auto expected = tensorOf<float>("complex64", {3.0f, 4.0f}, {1});
    QVERIFY(compare(expected, tensorOf<float>("complex64", {3.0f, 4.0004f}, {1}), 1e-4).isEqual);
    QVERIFY(!compare(expected, tensorOf<float>("complex64", {3.0f, -4.0f}, {1}), 1e-2).isEqual);
    QVERIFY(
        compare(tensorOf<double>("complex128", {0.0, 1.0}, {1}), tensorOf<double>("complex128", {0.0, 1.0}, {1}), 1e-4)
            .isEqual);
}

void TestComparison::shapesDoNotBroadcast()
{
    const Comparison found
        = compare(tensorOf<float>("float32", {1, 2}, {2, 1}), tensorOf<float>("float32", {1, 2}, {2}), 1e-2);
    QVERIFY(!found.isEqual);
    QVERIFY(found.difference.find("shape (2), expected (2, 1)") != std::string::npos);
}

void TestComparison::dtypesMustAgree()
{
    const Comparison found = compare(tensorOf<qint64>("int64", {1}), tensorOf<qint32>("int32", {1}), 1e-2);
    QVERIFY(!found.isEqual);
    QVERIFY(found.difference.find("dtype int32, expected int64") != std::string::npos);
}

void TestComparison::listCountsAsTuple()
{
    const dice::Json item{{"kind", "int"}, {"value", "3"}};
    QVERIFY(compare(plain({{"kind", "tuple"}, {"items", {item, item}}}),
                    plain({{"kind", "list"}, {"items", {item, item}}}), 1e-2)
                .isEqual);
    QVERIFY(!compare(plain({{"kind", "tuple"}, {"items", {item, item}}}), plain({{"kind", "tuple"}, {"items", {item}}}),
                     1e-2)
                 .isEqual);
}

void TestComparison::dictsByKey()
{
    const auto dict = [](const char *first, const char *second, const char *a, const char *b) {
        return plain({{"kind", "dict"},
                      {"keys", {{{"kind", "str"}, {"value", first}}, {{"kind", "str"}, {"value", second}}}},
                      {"items", {{{"kind", "int"}, {"value", a}}, {{"kind", "int"}, {"value", b}}}}});
    };
    QVERIFY(compare(dict("loss", "count", "1", "2"), dict("count", "loss", "2", "1"), 1e-2).isEqual);
    QVERIFY(!compare(dict("loss", "count", "1", "2"), dict("count", "loss", "1", "2"), 1e-2).isEqual);
    const Comparison found = compare(dict("loss", "count", "1", "2"), dict("loss", "total", "1", "2"), 1e-2);
    QVERIFY(found.difference.find("lacks the key 'count'") != std::string::npos);
}

void TestComparison::scalars()
{
    const auto number = [](const char *text) { return plain({{"kind", "float"}, {"value", text}}); };
    QVERIFY(compare(number("0x1.0p+0"), number("0x1.0001p+0"), 1e-4).isEqual);
    QVERIFY(!compare(number("0x1.0p+0"), number("0x1.1p+0"), 1e-2).isEqual);
    QVERIFY(!compare(number("nan"), number("nan"), 1e-2).isEqual);
    QVERIFY(
        !compare(plain({{"kind", "int"}, {"value", "1"}}), plain({{"kind", "bool"}, {"value", true}}), 1e-2).isEqual);
    QVERIFY(compare(plain({{"kind", "none"}}), plain({{"kind", "none"}}), 1e-2).isEqual);
    const auto object = plain({{"kind", "other"}, {"type", "an object"}});
    QVERIFY(!compare(object, object, 1e-2).isEqual);
}

void TestComparison::stridedEqualsContiguous()
{
    const std::vector<float> elements{1, 4, 2, 5, 3, 6}; // the transpose of ((1, 2, 3), (4, 5, 6))
    std::vector<std::byte> arena(elements.size() * sizeof(float));
    std::memcpy(arena.data(), elements.data(), arena.size());
    const auto strided = *takeValues({{"kind", "tensor"},
                                      {"dtype", "float32"},
                                      {"shape", {2, 3}},
                                      {"stride", {1, 2}},
                                      {"offset", 0},
                                      {"nbytes", arena.size()}},
                                     arena);
    QVERIFY(compare(strided, tensorOf<float>("float32", {1, 2, 3, 4, 5, 6}, {2, 3}), 1e-4).isEqual);
}

void TestComparison::emptyTensors()
{
    const auto empty = tensorOf<float>("float32", {}, {0, 3});
    QVERIFY(compare(empty, empty, 1e-4).isEqual);
    QVERIFY(!compare(empty, tensorOf<float>("float32", {}, {3, 0}), 1e-4).isEqual);
}

void TestComparison::halfPrecisionBetraysItself()
{
    std::vector<float> exact, half, rounded;
    for (int i = 0; i < 64; ++i) {
        const float value = 0.1f + 0.37f * static_cast<float>(i);
        exact.push_back(value);
        const float step = std::exp2(std::floor(std::log2(value)) - 10.0f);
        half.push_back(std::round(value / step) * step);
        rounded.push_back(value * 1.00001f);
    }
    PrecisionEvidence lower, honest;
    lower.add(tensorOf<float>("float32", exact), tensorOf<float>("float32", half));
    honest.add(tensorOf<float>("float32", exact), tensorOf<float>("float32", rounded));
    QVERIFY(lower.betraysHalf());
    QVERIFY(!honest.betraysHalf());
    QVERIFY(!honest.betraysBfloat16());
    // A task whose own outputs are short numbers betrays nobody.
    PrecisionEvidence shortNumbers;
    shortNumbers.add(tensorOf<float>("float32", half), tensorOf<float>("float32", half));
    QVERIFY(!shortNumbers.betraysHalf());
}

QTEST_APPLESS_MAIN(TestComparison)
#include "test_comparison.moc"
