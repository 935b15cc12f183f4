// From a candidate's text to tokens, rewritten sources and command lines.
#include "core/build/buildplan.h"
#include "core/build/devicerewriter.h"
#include "core/build/standardheaders.h"
#include "core/build/tokens.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace dice::build;

namespace {

std::string rewritten(const std::string &text)
{
    return rewriteForCpu({"cuda_source_0.cu", text}, 0, 0).text;
}

Toolchain toolchain()
{
    Toolchain result;
    result.shimInclude = "shim";
    result.torchRoot = "torch";
    result.processor = "x86-64-v3";
    return result;
}

BuildRequest scaleRequest()
{
    BuildRequest request
        = makeInlineRequest("scale", {"torch::Tensor scale(torch::Tensor x);"},
                            {"#include <torch/extension.h>\n__global__ void k(float *x) { x[0] *= 2; }\n"
                             "torch::Tensor scale(torch::Tensor x) { k<<<1, 1>>>(x.data_ptr<float>()); return x; }\n"});
    request.functions = {"scale"};
    return request;
}

std::size_t linesOf(const std::string &text)
{
    return std::size_t(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

class PlanningTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void tokensSkipCommentsAndKeepStrings();
    void tokensOfDefinesCount();
    void tokensSurviveUnfinishedText_data();
    void tokensSurviveUnfinishedText();
    void launchesAreRewritten_data();
    void launchesAreRewritten();
    void whatIsNoLaunchStays_data();
    void whatIsNoLaunchStays();
    void sharedVariablesBecomeReferences();
    void dynamicSharedMemory();
    void deviceVariablesGetExternalLinkage();
    void linesStay();
    void oneUnitWhenCppOnlyDeclares();
    void twoUnitsWhenCppDefines();
    void undeclaredFunctionIsBoundWhereItCannotBeSeen();
    void checkedCopiesHaveNamesOfTheirOwn();
    void rungsClimbFromShimToRealHeaders();
    void ownDefinitionsAreKept();
    void standardHeadersAreFound();
    void gpuOnlyFeatures_data();
    void gpuOnlyFeatures();
    void noSourcesIsRefused();
};

void PlanningTest::tokensSkipCommentsAndKeepStrings()
{
    const std::string text = "a /* b << */ \"c // <<<\" R\"x(d)\" )x\" 'e' // f\n1.5e-3f <<< >>>";
    std::vector<std::string> words;
    for (const Token &token : tokenize(text))
        words.push_back(std::string(token.text));
    const std::vector<std::string> expected
        = {"a", "\"c // <<<\"", "R\"x(d)\" )x\"", "'e'", "1.5e-3f", "<<<", ">", ">", ">"};
    QVERIFY(words == expected);
    QCOMPARE(tokenize(text).back().line, 2);
}

void PlanningTest::tokensOfDefinesCount()
{
    const std::string text = "#include <vector>\n#define RUN(x) \\\n  k<<<1, 1>>>(x)\n#pragma unroll\nint a;";
    const std::vector<Token> tokens = tokenize(text);
    QCOMPARE(std::string(tokens.front().text), std::string("RUN"));
    QVERIFY(tokens.front().isInDirective);
    QVERIFY(!tokens.back().isInDirective);
    QCOMPARE(std::string(tokens[tokens.size() - 3].text), std::string("int"));
    QCOMPARE(tokens.back().line, 5);
}

void PlanningTest::tokensSurviveUnfinishedText_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"\"open", "'", "/* never closed", "R\"(raw", "R\"", "k<<<", "k<<<1,", "__shared__ float",
                             "\\", "#define", "((((", "}}}}", "a>>>(", "k<<<1,1>>>(x"})
        QTest::newRow(text) << QByteArray(text);
}

void PlanningTest::tokensSurviveUnfinishedText()
{
    QFETCH(QByteArray, text);
    QCOMPARE(rewritten(text.toStdString()), text.toStdString());
}

void PlanningTest::launchesAreRewritten_data()
{
    QTest::addColumn<QByteArray>("launch");
    QTest::addColumn<QByteArray>("kernel");
    QTest::addColumn<QByteArray>("shape");
    QTest::addColumn<QByteArray>("arguments");
    const auto row = [](const char *launch, const char *kernel, const char *shape, const char *arguments) {
        QTest::newRow(launch) << QByteArray(launch) << QByteArray(kernel) << QByteArray(shape) << QByteArray(arguments);
    };
    row("k<<<1, 2>>>(x);", "k", "1, 2", "x");
    row("k<<<g, dim3(a, b), n * sizeof(float), s>>>(x, y);", "k", "g, dim3(a, b), n * sizeof(float), s", "x, y");
    row("ns::k<float, 4><<<1, 2>>>(x);", "ns::k<float, 4>", "1, 2", "x");
    row("::k<(a > b)><<<1, 2>>>(x);", "::k<(a > b)>", "1, 2", "x");
    row("k<std::vector<int>><<<1, 2>>>(x);", "k<std::vector<int>>", "1, 2", "x");
    row("k<<<(n + 31) >> 5, 32>>>(f(x), \">>>\");", "k", "(n + 31) >> 5, 32", "f(x), \">>>\"");
    row("table[i]<<<1, 2>>>(x);", "table[i]", "1, 2", "x");
}

void PlanningTest::launchesAreRewritten()
{
    QFETCH(QByteArray, launch);
    QFETCH(QByteArray, kernel);
    QFETCH(QByteArray, shape);
    QFETCH(QByteArray, arguments);
    const QByteArray expected = "::dice::launch<0>({\"" + kernel + "\", \"cuda_source_0.cu\", 1}, ::dice::shape("
        + shape + "), [&](auto &&...dice_a) { " + kernel + "(dice_a...); }, " + arguments + ");";
    QCOMPARE(QByteArray::fromStdString(rewritten(launch.toStdString())), expected);
}

void PlanningTest::whatIsNoLaunchStays_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"// k<<<1, 2>>>(x);", "const char *s = \"k<<<1, 2>>>(x)\";", "int a = b << 3 >> 1;",
                             "std::vector<std::vector<std::vector<int>>> v(3);"})
        QTest::newRow(text) << QByteArray(text);
}

void PlanningTest::whatIsNoLaunchStays()
{
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(rewritten(text.toStdString())), text);
}

void PlanningTest::sharedVariablesBecomeReferences()
{
    const std::string text = rewritten("__global__ void k() { __shared__ float a[4][T + 1], b; a[0][0] = b; }");
    QVERIFY(text.find("__shared__") == std::string::npos);
    QVERIFY(text.find("typedef  float dice_shared_a[4][T + 1], dice_shared_b;") != std::string::npos);
    QVERIFY(text.find("dice_shared_a &a = ::dice::sharedAt<dice_shared_a>") != std::string::npos);
    QVERIFY(text.find("dice_shared_b &b = ::dice::sharedAt<dice_shared_b>") != std::string::npos);
}

void PlanningTest::dynamicSharedMemory()
{
    const std::string inside = rewritten("void k() { extern __shared__ __align__(16) float m[]; }");
    QVERIFY(inside.find("__align__") == std::string::npos);
    QVERIFY(inside.find(" dice_shared_m &m = *reinterpret_cast<dice_shared_m *>(::dice::dynamicShared());")
            != std::string::npos);
    const std::string outside = rewritten("namespace a { extern __shared__ float m[]; }");
    QVERIFY(outside.find("static thread_local dice_shared_m &m") != std::string::npos);
}

void PlanningTest::deviceVariablesGetExternalLinkage()
{
    QCOMPARE(rewritten("static __constant__ float c[4];"), std::string(" __constant__ float c[4];"));
    QCOMPARE(rewritten("static __device__ float f(float x);"), std::string("static __device__ float f(float x);"));
    QCOMPARE(rewritten("namespace { __device__ int n; }"),
             std::string("inline namespace dice_unnamed_0 { __device__ int n; }"));
}

void PlanningTest::linesStay()
{
    const std::string text
        = "void f() {\n  k<float,\n    4><<<1,\n 2>>>(\n x);\n}\n#define RUN \\\n k<<<1, \\\n 2>>>(x)\n"
          "__global__ void k() {\n  __shared__\n float a[3];\n}\n";
    QCOMPARE(linesOf(rewritten(text)), linesOf(text));
}

void PlanningTest::oneUnitWhenCppOnlyDeclares()
{
    const auto plan = planBuild(scaleRequest(), toolchain());
    QVERIFY(plan.has_value());
    const Rung &rung = plan->rungs.front();
    QCOMPARE(rung.files.size(), std::size_t(1));
    QVERIFY(rung.files.at("extension.cpp").find("#line 1 \"cuda_source_0.cu\"\n#include") != std::string::npos);
    QCOMPARE(rung.outputs.front(), std::string("candidate.so"));
    const auto parallel = std::count_if(rung.commands.begin(), rung.commands.end(),
                                        [](const CompileCommand &command) { return command.parallelGroup == 0; });
    QCOMPARE(parallel, 2); // fast and checked
    // Without this order the linker leaves the checked copy out, and checked calls check nothing.
    const std::vector<std::string> &link = rung.commands.back().argv;
    const auto keep = std::find(link.begin(), link.end(), "-Wl,--no-as-needed");
    QVERIFY(std::find(keep, link.end(), rung.outputs[1]) != link.end());
}

void PlanningTest::twoUnitsWhenCppDefines()
{
    BuildRequest request = scaleRequest();
    request.cppSources[0].text += "\nstatic int helper() { return 1; }";
    const auto plan = planBuild(request, toolchain());
    QVERIFY(plan.has_value());
    QCOMPARE(plan->rungs.front().files.size(), std::size_t(2));
    QVERIFY(plan->rungs.front().files.at("main.cpp").find("PYBIND11_MODULE") != std::string::npos);
}

void PlanningTest::undeclaredFunctionIsBoundWhereItCannotBeSeen()
{
    BuildRequest request = scaleRequest();
    request.cppSources[0].text.clear();
    const auto plan = planBuild(request, toolchain());
    QVERIFY(plan.has_value());
    const std::string &main = plan->rungs.front().files.at("main.cpp");
    QVERIFY(main.find("wrap_pybind_function(scale)") != std::string::npos);
    QVERIFY(main.find("torch::Tensor scale") == std::string::npos);
}

void PlanningTest::checkedCopiesHaveNamesOfTheirOwn()
{
    BuildRequest other = scaleRequest();
    other.cudaSources[0].text += "// other";
    QVERIFY(planBuild(scaleRequest(), toolchain())->rungs[0].outputs[1]
            != planBuild(other, toolchain())->rungs[0].outputs[1]);
}

void PlanningTest::rungsClimbFromShimToRealHeaders()
{
    const auto plan = planBuild(scaleRequest(), toolchain());
    QCOMPARE(plan->rungs.size(), std::size_t(2));
    QVERIFY(plan->rungs[0].kind == RungKind::Shim && plan->rungs[1].kind == RungKind::RealHeaders);
    Toolchain without = toolchain();
    without.torchRoot.clear();
    QCOMPARE(planBuild(scaleRequest(), without)->rungs.size(), std::size_t(1));
}

void PlanningTest::ownDefinitionsAreKept()
{
    BuildRequest request = scaleRequest();
    request.extraCudaCflags = {"-O3", "--use_fast_math", "-DTILE=8", "-fplugin=evil.so"};
    const auto plan = planBuild(request, toolchain());
    const std::vector<std::string> &argv = plan->rungs[0].commands[0].argv;
    QVERIFY(std::find(argv.begin(), argv.end(), "-DTILE=8") != argv.end());
    QVERIFY(std::find(argv.begin(), argv.end(), "-fplugin=evil.so") == argv.end());
}

void PlanningTest::standardHeadersAreFound()
{
    QCOMPARE(standardHeadersFor("std::sort(a, b); std::cout << 1; // std::map"),
             std::string("#include <algorithm>\n#include <iostream>\n"));
    QCOMPARE(standardHeadersFor("std::max({a, b}) + std::min(a, b)"), std::string("#include <algorithm>\n"));
    QCOMPARE(standardHeadersFor("sort(a)"), std::string());
}

void PlanningTest::gpuOnlyFeatures_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("needsGpu");
    QTest::newRow("ptx") << QByteArray("void f() { asm volatile(\"nop;\"); }") << true;
    QTest::newRow("wmma") << QByteArray("using namespace nvcuda;") << true;
    QTest::newRow("cublas") << QByteArray("void f(cublasHandle_t h);") << true;
    QTest::newRow("cudnn") << QByteArray("void f() { at::native::getCudnnHandle(); }") << true;
    QTest::newRow("grid") << QByteArray("void f() { cg::this_grid().sync(); }") << true;
    QTest::newRow("cub") << QByteArray("cub::BlockReduce<float, 32> r;") << true;
    QTest::newRow("comment") << QByteArray("// asm, cublas, wmma\nint cubic, cute;") << false;
    QTest::newRow("string") << QByteArray("const char *s = \"cudnn\";") << false;
    QTest::newRow("include") << QByteArray("#include <cublas_v2.h>\nint a;") << false;
    QTest::newRow("member") << QByteArray("int b = a.asm_;") << false;
}

void PlanningTest::gpuOnlyFeatures()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, needsGpu);
    const auto plan = planBuild(makeInlineRequest("x", {}, {text.toStdString()}), toolchain());
    QVERIFY(plan.has_value());
    QCOMPARE(!plan->needsGpuReason.empty(), needsGpu);
    QCOMPARE(plan->rungs.empty(), needsGpu);
    if (needsGpu)
        QVERIFY(plan->needsGpuReason.find("line 1") != std::string::npos);
}

void PlanningTest::noSourcesIsRefused()
{
    QVERIFY(!planBuild(makeInlineRequest("empty", {}, {}), toolchain()).has_value());
}

QTEST_GUILESS_MAIN(PlanningTest)
#include "test_planning.moc"
