// What kernels do on the CPU device, checked and unchecked, and how each kind of fault is named.
#include "builtkernel.h"
#include "core/build/precompiledheaders.h"
#include "kernelsources.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <numeric>

using dice::cpudevice::CallOptions;
using dice::cpudevice::CallReport;

namespace {

std::vector<float> counting(std::size_t count, float first = 1.0f)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

int lineOf(const std::string &mark)
{
    const std::size_t at = kernelsources::wrong.find("// FAULT " + mark);
    return int(std::count(kernelsources::wrong.begin(), kernelsources::wrong.begin() + long(at), '\n')) + 1;
}

QByteArray describe(const CallReport &report)
{
    QByteArray text;
    for (const auto &fault : report.faults)
        text += QByteArray::fromStdString(fault.kind + ": " + fault.message + " (line " + std::to_string(fault.line)
                                          + ") ");
    return text;
}

} // namespace

class KernelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void initTestCase();
    void rightKernels_data();
    void rightKernels();
    void faults_data();
    void faults();
    void guardBandTellsUncheckedOverrun();
    void ghostLaunchesDoNothing();
    void hostFailureCarriesItsText();
    void launchesAreRecorded();
    void matrixProductIsFast();
    void precompiledHeadersAreTaken();

private:
    std::unique_ptr<BuiltKernel> m_right;
    std::unique_ptr<BuiltKernel> m_wrong;
};

void KernelTest::initTestCase()
{
    using namespace kernelsources;
    m_right = std::make_unique<BuiltKernel>(right, rightFunctions, declarations(rightFunctions));
    QVERIFY2(m_right->problem().isEmpty(), qPrintable(m_right->problem()));
    m_wrong = std::make_unique<BuiltKernel>(wrong, wrongFunctions, declarations(wrongFunctions));
    QVERIFY2(m_wrong->problem().isEmpty(), qPrintable(m_wrong->problem()));
}

void KernelTest::rightKernels_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("argument");
    QTest::addColumn<std::function<float(int)>>("expected");
    QTest::addColumn<bool>("isChecked");
    using Expected = std::function<float(int)>;
    const auto add = [](const char *function, int size, int argument, Expected expected) {
        for (bool isChecked : {false, true})
            QTest::newRow((QByteArray(function) + (isChecked ? " checked" : "")).constData())
                << QString(function) << size << argument << expected << isChecked;
    };
    add("reduce", 64, 60, [](int i) { return i == 0 ? 1830.0f : i + 1.0f; });
    add("shuffles", 32, 0, [](int i) {
        const int up = i % 8 == 0 ? i : i - 1, down = i % 8 == 7 ? i : i + 1;
        return float((i ^ 1) + 1) + 100.0f * (up + 1) + 10000.0f * (down + 1) + 1000000.0f * (i / 16 * 16 + 1);
    });
    add("votes", 64, 5, [](int i) { return i < 5 ? 1.0f : i < 32 ? i + 1.0f : 11.0f; });
    add("atomics", 6, 40, [](int i) { return std::vector<float>{4001, 3999, 2000, 12000, 5, 255}[std::size_t(i)]; });
    add("dynamic", 50, 50, [](int i) { return 50.0f - i; });
    add("symbols", 9, 8, [](int i) { return i == 8 ? 8.0f : (i + 1.0f) * (i % 4 + 1); });
    add("templates", 20, 20, [](int i) { return i + 5.5f; });
    add("macros", 70, 65, [](int i) { return i < 65 ? 2 * (i + 1.0f) : i + 1.0f; });
    add("shape", 288, 0, [](int i) { return i + 1.0f; });
    add("groups", 64, 0, [](int i) { return 64.0f * (i / 8) + 36.0f + 1000.0f * (i / 8) + 100.0f * (i % 8 == 7); });
    add("halves", 6, 6, [](int i) { return (i + 1.0f) * (i + 2.0f) + 6.0f; });
    add("counts", 40, 40, [](int) { return 340.0f; });
    add("pointers", 10, 10, [](int i) { return i + 2.0f; });
    add("twodim", 64, 0, [](int i) { return float(i % 8 * 8 + i / 8) + 2.0f; });
    add("scopes", 40, 40, [](int i) { return i < 3 ? 7.0f : i + 1.0f; });
}

void KernelTest::rightKernels()
{
    QFETCH(QString, function);
    QFETCH(int, size);
    QFETCH(int, argument);
    QFETCH(std::function<float(int)>, expected);
    QFETCH(bool, isChecked);
    DeviceArray array(counting(std::size_t(size)));
    const CallReport report = m_right->call(function.toStdString(), {array.address(), argument},
                                            {.isChecked = isChecked, .isPoisoned = true, .isGhost = false});
    QVERIFY2(report.faults.empty(), describe(report).constData());
    for (int i = 0; i < size; ++i)
        QCOMPARE(array[std::size_t(i)], expected(i));
}

void KernelTest::faults_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("word");
    QTest::newRow("readsPast") << "out_of_bounds"
                               << "reads 4 bytes 0 bytes past the end";
    QTest::newRow("writesPast") << "out_of_bounds"
                                << "writes 4 bytes 0 bytes past the end";
    QTest::newRow("unwritten") << "unwritten_shared"
                               << "'box'";
    QTest::newRow("race") << "race"
                          << "'box'";
    QTest::newRow("deadlock") << "deadlock"
                              << "24 at __syncthreads, 8 in a warp operation";
    QTest::newRow("asserts") << "assert"
                             << "x[threadIdx.x] < 2.0f";
    QTest::newRow("traps") << "trap"
                           << "trapKernel";
    QTest::newRow("tooLarge") << "bad_launch"
                              << "2048 threads";
    QTest::newRow("sharedPast") << "out_of_bounds"
                                << "'small'";
    QTest::newRow("misaligned") << "misaligned"
                                << "no multiple of 16";
    QTest::newRow("hostPointer") << "out_of_bounds"
                                 << "reads 4 bytes";
}

void KernelTest::faults()
{
    QFETCH(QString, kind);
    QFETCH(QString, word);
    const std::string function = QTest::currentDataTag();
    DeviceArray array(counting(64));
    const CallReport report
        = m_wrong->call(function, {array.address(), 64}, {.isChecked = true, .isPoisoned = true, .isGhost = false});
    QVERIFY(!report.faults.empty());
    QCOMPARE(QString::fromStdString(report.faults[0].kind), kind);
    QVERIFY2(QString::fromStdString(report.faults[0].message).contains(word), describe(report).constData());
    const bool hasLine = kernelsources::wrong.find("// FAULT " + function) != std::string::npos;
    if (hasLine) {
        QCOMPARE(QString::fromStdString(report.faults[0].source), QStringLiteral("cuda_source_0.cu"));
        QCOMPARE(report.faults[0].line, lineOf(function));
    }
}

void KernelTest::guardBandTellsUncheckedOverrun()
{
    DeviceArray array(counting(64));
    const CallReport report = m_wrong->call("writesUnchecked", {array.address(), 64});
    QCOMPARE(report.faults.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(report.faults[0].kind), QStringLiteral("guard_band"));
    QVERIFY(QString::fromStdString(report.faults[0].message).contains("0 bytes past its end"));
}

void KernelTest::ghostLaunchesDoNothing()
{
    DeviceArray array(counting(64));
    const CallReport report
        = m_right->call("macros", {array.address(), 64}, {.isChecked = false, .isPoisoned = false, .isGhost = true});
    QCOMPARE(report.launchCount, 1);
    QCOMPARE(array[3], 4.0f);
}

void KernelTest::hostFailureCarriesItsText()
{
    const CallReport report = m_wrong->call("throws", {0, 3});
    QCOMPARE(QString::fromStdString(report.faults.at(0).message), QStringLiteral("n is 3, not zero"));
}

void KernelTest::launchesAreRecorded()
{
    DeviceArray array(counting(64));
    const CallReport report = m_right->call("templates", {array.address(), 20});
    QCOMPARE(report.launches.size(), std::size_t(2));
    QCOMPARE(QString::fromStdString(report.launches[0].kernel), QStringLiteral("stepKernel<float, (3 > 2) ? 4 : 5>"));
    QCOMPARE(report.launches[0].block[0], 32u);
    QCOMPARE(QString::fromStdString(report.launches[1].kernel), QStringLiteral("deduced"));
    QCOMPARE(report.launches[1].block[0], 20u);
}

// 2e8 floating-point operations, the most that a task may have on this device.
void KernelTest::matrixProductIsFast()
{
    const std::string text = R"cuda(
#include <torch/extension.h>
__global__ void product(const float *a, float *c, int n) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * a[k * n + column];
    c[row * n + column] = sum;
}
void multiply(int64_t a, int64_t n) {
    float *x = reinterpret_cast<float *>(a);
    int blocks = (int)(n + 15) / 16;
    product<<<dim3(blocks, blocks), dim3(16, 16)>>>(x, x + n * n, (int)n);
}
)cuda";
    BuiltKernel kernel(text, {"multiply"}, kernelsources::declarations({"multiply"}));
    QVERIFY2(kernel.problem().isEmpty(), qPrintable(kernel.problem()));
    constexpr std::size_t n = 464;
    DeviceArray array(std::vector<float>(2 * n * n, 1.0f));
    const auto start = std::chrono::steady_clock::now();
    const CallReport report = kernel.call("multiply", {array.address(), std::int64_t(n)});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    QCOMPARE(array[n * n + 5], float(n));
    QVERIFY(report.faults.empty());
    qInfo("2e8 operations in %.3f s", seconds);
    QVERIFY2(seconds < 10.0, "far slower than the second that it may take on an idle machine");
}

void KernelTest::precompiledHeadersAreTaken()
{
    using namespace dice::build;
    const QTemporaryDir folder;
    Toolchain toolchain;
    toolchain.shimInclude = DICE_SOURCE_DIR "/core/build/include";
    toolchain.precompiled = folder.path().toStdString();
    const PrecompilationPlan headers = planPrecompiledHeaders(toolchain, toolchain.precompiled);
    for (const auto &[name, text] : headers.files) {
        QVERIFY(QDir().mkpath(QFileInfo(folder.filePath(name.c_str())).path()));
        std::ofstream(toolchain.precompiled + "/" + name) << text;
    }
    for (const CompileCommand &command : headers.commands) {
        const CommandRun run = runCommand(command.argv, folder.path());
        QVERIFY2(run.isGood && run.errorOutput.isEmpty(), run.errorOutput.constData());
    }
    // Candidates include the header themselves, too.
    const std::string source = "#include <torch/extension.h>\n" + kernelsources::right;
    const auto plan = planBuild(makeInlineRequest("any_name", {}, {source}), toolchain);
    QVERIFY(plan);
    const Rung &rung = plan->rungs.front();
    for (const auto &[name, text] : rung.files)
        std::ofstream(toolchain.precompiled + "/" + name) << text;
    for (std::size_t i = 0; i < 2; ++i) { // the two copies; GCC marks a precompiled header that it takes with "!"
        std::vector<std::string> command = rung.commands[i].argv;
        command.push_back("-H");
        const CommandRun run = runCommand(command, folder.path());
        QVERIFY2(run.isGood && run.errorOutput.startsWith("! " + folder.path().toUtf8()), run.errorOutput.constData());
    }
}

QTEST_GUILESS_MAIN(KernelTest)
#include "test_kernels.moc"
