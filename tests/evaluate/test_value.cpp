// Descriptions of values come from an untrusted process: none may lead outside of the shared memory.
#include "core/evaluate/value.h"

#include <QRegularExpression>
#include <QTest>

using namespace dice::evaluate;
using dice::Json;

namespace {

Json tensor(const Json &changes = Json::object())
{
    Json tree{{"kind", "tensor"}, {"dtype", "float32"}, {"shape", {2, 3}},
              {"stride", {3, 1}}, {"offset", 8},        {"nbytes", 24}};
    tree.update(changes);
    return tree;
}

} // namespace

class TestValue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void acceptsWhatFits();
    void refusesHostileTensors_data();
    void refusesHostileTensors();
    void refusesDeepNesting();
    void refusesManyNodes();
    void digestSeesContentAndStructure();
};

void TestValue::acceptsWhatFits()
{
    QVERIFY(parseValue(tensor(), 32));
    QVERIFY(parseValue(tensor({{"stride", {0, 0}}, {"nbytes", 4}}), 32));
    QVERIFY(parseValue(tensor({{"shape", Json::array()}, {"stride", Json::array()}, {"nbytes", 4}}), 32));
    QVERIFY(parseValue(tensor({{"shape", {0, 5}}, {"nbytes", 0}}), 32));
}

void TestValue::refusesHostileTensors_data()
{
    QTest::addColumn<QString>("changes");
    const std::vector<std::pair<const char *, const char *>> rows{
        {"outside", R"({"offset": 9})"},
        {"offset wraps", R"({"offset": 18446744073709551615})"},
        {"negative offset", R"({"offset": -8})"},
        {"size wraps", R"({"nbytes": 18446744073709551608})"},
        {"too few bytes", R"({"nbytes": 20})"},
        {"negative size", R"({"shape": [-2, 3]})"},
        {"negative stride", R"({"stride": [-3, 1]})"},
        {"huge stride", R"({"stride": [4611686018427387904, 1]})"},
        {"product overflows", R"({"shape": [4294967296, 4294967296], "stride": [0, 0]})"},
        {"ranks differ", R"({"shape": [6]})"},
        {"unknown dtype", R"({"dtype": "qint8"})"},
        {"dtype no text", R"({"dtype": 3})"},
        {"shape no list", R"({"shape": "2, 3"})"},
        {"unknown kind", R"({"kind": "secret"})"},
        {"no kind", R"({"kind": null})"},
    };
    for (const auto &[name, changes] : rows)
        QTest::newRow(name) << changes;
}

void TestValue::refusesHostileTensors()
{
    QFETCH(QString, changes);
    QVERIFY(!parseValue(tensor(Json::parse(changes.toStdString())), 32));
}

void TestValue::refusesDeepNesting()
{
    Json tree{{"kind", "none"}};
    for (int i = 0; i < 100; ++i)
        tree = {{"kind", "list"}, {"items", {tree}}};
    QVERIFY(!parseValue(tree, 0));
}

void TestValue::refusesManyNodes()
{
    Json items = Json::array();
    for (int i = 0; i < 30000; ++i)
        items.push_back({{"kind", "none"}});
    QVERIFY(!parseValue({{"kind", "list"}, {"items", items}}, 0));
}

void TestValue::digestSeesContentAndStructure()
{
    std::vector<std::byte> arena(32, std::byte{1});
    const CallValues first = *takeValues(tensor(), arena);
    arena[9] = std::byte{2};
    const CallValues changed = *takeValues(tensor(), arena);
    arena[9] = std::byte{1};
    const CallValues reshaped = *takeValues(tensor({{"shape", {3, 2}}, {"stride", {2, 1}}}), arena);
    QVERIFY(digest(first) == digest(*takeValues(tensor(), arena)));
    QVERIFY(digest(first) != digest(changed));
    QVERIFY(digest(first) != digest(reshaped));
}

QTEST_APPLESS_MAIN(TestValue)
#include "test_value.moc"
