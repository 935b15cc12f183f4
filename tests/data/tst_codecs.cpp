// Every struct that crosses a process border survives the way there and back, and a document that breaks its format
// is an Error, never an exception or a half-read struct.
#include "core/data/buildreport.h"
#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/data/modelinfo.h"
#include "core/data/modulesource.h"
#include "core/data/verdict.h"
#include "core/data/verifyrequest.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <map>

using namespace dice;

namespace {

CanvasStep sampleStep()
{
    CanvasCell cell;
    cell.position = 9;
    cell.state = CellState::Committed;
    cell.token = TokenId(17);
    cell.text = "float4";
    cell.confidence = 0.75f;
    cell.entropy = 0.5f;
    cell.alternatives = {{TokenId(17), "float4", 0.75f}, {TokenId(18), "\xef\xbf\xbd", 0.25f}};
    return {BlockIndex(1), 2, {cell, CanvasCell{}}};
}

BuildReport sampleBuild()
{
    BuildReport build;
    build.isBuilt = true;
    build.rung = "shim";
    build.durationNs = 600'000'000;
    build.gpuArchitecture = "sm_90";
    build.isGpuProven = true;
    build.messages = {{Severity::Warning, 12, "unused variable"}};
    build.log = "line\nline";
    return build;
}

Verdict sampleVerdict()
{
    Verdict verdict;
    verdict.word = VerdictWord::Rejected;
    verdict.reason = "the kernel is never launched";
    verdict.line = 3;
    verdict.protocol = "strict";
    verdict.device = "cpu";
    verdict.tolerance = 1e-4;
    verdict.build = sampleBuild();
    verdict.trials = {{std::numeric_limits<std::uint64_t>::max(), false, 0.5, 7, "[1]", 1.0, 1.5}};
    verdict.detectors = {{"ORIGIN", CheckOutcome::Failed, "no launch"}, {"MUT", CheckOutcome::NotRun, ""}};
    verdict.launches = {{"scale_kernel", 5, 1200}};
    verdict.scaledSizes = {{"N", 4096, 96}};
    verdict.warnings = {"no pids cgroup here"};
    verdict.durationNs = 42;
    return verdict;
}

using Rejects = bool (*)(const Json &);

template <auto Decode> bool rejects(const Json &json)
{
    return !Decode(json).has_value();
}

struct Document
{
    Json sample;
    Rejects rejects;
};

// Each kind of document, with one that is right.
const std::map<std::string, Document> &documents()
{
    static const std::map<std::string, Document> all{
        {"canvas step", {toJson(sampleStep()), rejects<canvasStepFromJson>}},
        {"build report", {toJson(sampleBuild()), rejects<buildReportFromJson>}},
        {"verdict", {toJson(sampleVerdict()), rejects<verdictFromJson>}},
        {"decoding", {toJson(DecodingOptions{}), rejects<decodingOptionsFromJson>}},
        {"generate request", {toJson(GenerateRequest{"p", {}}), rejects<generateRequestFromJson>}},
        {"generate result", {toJson(GenerateResult{}), rejects<generateResultFromJson>}},
        {"module source", {toJson(ModuleSource{"x", "y"}), rejects<moduleSourceFromJson>}},
        {"prepared module", {toJson(PreparedModule{}), rejects<preparedModuleFromJson>}},
        {"verify request", {toJson(VerifyRequest{}), rejects<verifyRequestFromJson>}},
        {"model information", {toJson(ModelInfo{}), rejects<modelInfoFromJson>}},
    };
    return all;
}

} // namespace

class TestCodecs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

    void everyStructComesBackEqual()
    {
        QCOMPARE(canvasStepFromJson(toJson(sampleStep())).value(), sampleStep());
        QCOMPARE(verdictFromJson(toJson(sampleVerdict())).value(), sampleVerdict());
        const GenerateResult result{"text", 3, 4, 5, 6, StopReason::Stopped, {"masks are left"}};
        QCOMPARE(generateResultFromJson(toJson(result)).value(), result);
        DecodingOptions decoding;
        decoding.strategy = Remasking::EntropyBounded;
        decoding.seed = std::numeric_limits<std::uint64_t>::max();
        const GenerateRequest request{"import torch\n", decoding};
        QCOMPARE(generateRequestFromJson(toJson(request)).value(), request);
        const VerifyRequest verify{{"c", "c.py"}, {"r", "r.py"}, "cuda:0", Protocol::KernelBenchV0, 7, BuildHeaders::Torch};
        QCOMPARE(verifyRequestFromJson(toJson(verify)).value(), verify);
        const PreparedModule module{"text", {"note"}, {"problem"}};
        QCOMPARE(preparedModuleFromJson(toJson(module)).value(), module);
        const ModelInfo info{"nano", "/m", "sdar", 11'000'000, 8, 256, 4096, 8, 22'000'000, "bfloat16", "# card"};
        QCOMPARE(modelInfoFromJson(toJson(info)).value(), info);
    }

    // Through text, as between processes: numbers, escapes and 64-bit seeds must survive that too.
    void textKeepsEverything()
    {
        const Json parsed = Json::parse(toJson(sampleVerdict()).dump());
        QCOMPARE(verdictFromJson(parsed).value(), sampleVerdict());
    }

    void aNanInATrialIsNoFault()
    {
        Verdict verdict = sampleVerdict();
        verdict.trials[0].actual = std::numeric_limits<double>::quiet_NaN();
        const Result<Verdict> back = verdictFromJson(Json::parse(toJson(verdict).dump()));
        QVERIFY(back.has_value());
        QVERIFY(std::isnan(back->trials[0].actual));
    }

    void unknownFieldsAreIgnored()
    {
        for (const auto &[name, document] : documents()) {
            Json json = document.sample;
            json["from_a_newer_peer"] = 1;
            QVERIFY2(!document.rejects(json), name.c_str());
        }
    }

    void aMissingFieldIsAnError()
    {
        for (const auto &[name, document] : documents()) {
            for (const auto &[field, value] : document.sample.items()) {
                Json json = document.sample;
                json.erase(field);
                QVERIFY2(document.rejects(json), (name + "." + field).c_str());
            }
        }
    }

    void aFieldOfAnotherTypeIsAnError()
    {
        for (const auto &[name, document] : documents()) {
            for (const auto &[field, value] : document.sample.items()) {
                Json json = document.sample;
                // An object is never right where there was none, and a number never where there was one.
                json[field] = value.is_object() ? Json(1) : Json::object();
                QVERIFY2(document.rejects(json), (name + "." + field).c_str());
            }
        }
    }

    void otherDocumentsAreErrors_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("null") << "null";
        QTest::newRow("number") << "3";
        QTest::newRow("string") << "\"x\"";
        QTest::newRow("list") << "[]";
        QTest::newRow("empty") << "{}";
        QTest::newRow("deep") << QString(200, '[') + QString(200, ']');
    }

    void otherDocumentsAreErrors()
    {
        QFETCH(QString, text);
        const Json json = Json::parse(text.toStdString());
        for (const auto &[name, document] : documents())
            QVERIFY2(document.rejects(json), name.c_str());
    }

    void unknownWordsAreErrors()
    {
        QVERIFY(!verdictWordFromString("fine").has_value());
        QVERIFY(!protocolFromString("lenient").has_value());
        QVERIFY(!remaskingFromString("").has_value());
        QVERIFY(!stopReasonFromString("tired").has_value());
    }

    void outOfRangeDecodingIsRefused()
    {
        DecodingOptions options;
        QVERIFY(validate(options).has_value());
        options.threshold = 1.5;
        QVERIFY(!validate(options).has_value());
        options = {};
        options.temperature = -1.0;
        QVERIFY(!validate(options).has_value());
        options = {};
        options.maxNewTokens = 0;
        QVERIFY(!validate(options).has_value());
        options = {};
        options.topP = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!validate(options).has_value());
    }

    void protocolsHaveTheirTolerances()
    {
        QCOMPARE(tolerance(Protocol::Strict), 1e-4);
        QCOMPARE(tolerance(Protocol::KernelBench), 1e-4);
        QCOMPARE(tolerance(Protocol::KernelBenchV0), 1e-2);
    }
};

QTEST_APPLESS_MAIN(TestCodecs)
#include "tst_codecs.moc"
