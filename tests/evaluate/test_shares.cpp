// How the library's share of the work is measured, and which texts are made for one size.
#include "core/evaluate/librarywork.h"
#include "core/evaluate/sizevariants.h"

#include <QRegularExpression>
#include <QTest>

using namespace dice::evaluate;

class TestShares : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void onlyArithmeticCounts();
    void inPlaceVariantsCountAlike();
    void sizesAreRecognisedAsWholeNumbers();
};

void TestShares::onlyArithmeticCounts()
{
    const LibraryWork work = libraryWork({{"aten::empty", 3, 0, 300},
                                          {"aten::mm", 1, 200, 100},
                                          {"aten::view", 4, 400, 400},
                                          {"aten::copy_", 1, 100, 100},
                                          {"aten::relu", 1, 100, 100}});
    QCOMPARE(work.elements, std::int64_t(500));
    QCOMPARE(work.largest, std::string("mm"));
    QCOMPARE(libraryWork({{"aten::zeros_like", 1, 10, 10}}).elements, std::int64_t(0));
}

void TestShares::inPlaceVariantsCountAlike()
{
    QCOMPARE(libraryWork({{"aten::relu_", 1, 10, 10}}).elements, std::int64_t(20));
    QCOMPARE(libraryWork({{"aten::fill_", 1, 10, 10}}).elements, std::int64_t(0));
    QCOMPARE(libraryWork({{"aten::add.Tensor", 1, 20, 10}}).elements, std::int64_t(30));
}

void TestShares::sizesAreRecognisedAsWholeNumbers()
{
    SizeVariant variant;
    variant.originals = {4096};
    QVERIFY(mentionsSizes("#define N 4096\n", variant));
    QVERIFY(mentionsSizes("for (int i = 0; i < 4096; ++i)", variant));
    QVERIFY(!mentionsSizes("int total = 14096 + 40961;", variant));
    QVERIFY(!mentionsSizes("block_4096 += x4096;", variant));
    QVERIFY(!mentionsSizes("", variant));
}

QTEST_APPLESS_MAIN(TestShares)
#include "test_shares.moc"
