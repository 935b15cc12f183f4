// Device code taken out of a candidate, and NVRTC's word on it.
#include "core/build/gpuproof.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace dice::build;

namespace {

#ifdef DICE_NVIDIA_ROOT
const char *const nvidiaRoot = DICE_NVIDIA_ROOT;
#else
const char *const nvidiaRoot = "";
#endif

std::string library()
{
    return std::string(nvidiaRoot) + "/lib/libnvrtc.so.13";
}

Toolchain toolchain()
{
    Toolchain result;
    result.cudaInclude = std::string(nvidiaRoot) + "/include";
    return result;
}

GpuSource extracted(const std::string &text)
{
    return extractGpuSource(makeInlineRequest("x", {}, {text}), toolchain());
}

const std::string candidate = R"(#include <torch/extension.h>
#include <vector>
#define BLOCK 64
constexpr int tile = 8;
struct Pair { float a, b; __device__ float at(int i) const { return i ? b : a; } };
__constant__ float weights[4];
static inline void checkSizes(torch::Tensor x) { TORCH_CHECK(x.dim() == 2); }
template <typename T> __device__ T twice(T v) { return v + v; }
template <typename T, int N>
__global__ void __launch_bounds__(BLOCK) scale(T *x, int n) {
    __shared__ T part[N];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x % N] = i < n ? x[i] : T(0);
    __syncthreads();
    if (i < n) x[i] = twice(part[threadIdx.x % N]) * weights[i % 4] + FLT_MAX * 0;
}
torch::Tensor run(torch::Tensor x) {
    checkSizes(x);
    scale<float, tile><<<1, BLOCK>>>(x.data_ptr<float>(), (int)x.numel());
    return x;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
)";

} // namespace

class GpuTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void hostCodeIsLeftOut();
    void linesStay();
    void nothingWithoutDeviceCode();
    void builds();
    void tooMuchSharedMemoryIsRefuted();
    void missingLibraryIsAnError();
};

void GpuTest::hostCodeIsLeftOut()
{
    const GpuSource source = extracted(candidate);
    for (const char *word : {"torch::", "PYBIND11", "checkSizes", "#include <vector>"})
        QVERIFY2(source.text.find(word) == std::string::npos, word);
    for (const char *word :
         {"struct Pair", "weights[4]", "twice", "__global__", "#define BLOCK 64", "constexpr int tile"})
        QVERIFY2(source.text.find(word) != std::string::npos, word);
    QCOMPARE(source.nameExpressions.size(), std::size_t(1));
}

void GpuTest::linesStay()
{
    const std::string text = extracted(candidate).text;
    const std::size_t begin = text.find("#line 1 \"cuda_source_0.cu\"\n");
    const std::size_t kernel = text.find("__global__");
    const std::size_t expected = candidate.find("__global__");
    QCOMPARE(std::count(text.begin() + long(begin), text.begin() + long(kernel), '\n') - 1,
             std::count(candidate.begin(), candidate.begin() + long(expected), '\n'));
}

void GpuTest::nothingWithoutDeviceCode()
{
    QVERIFY(extracted("int f() { return 1; }").text.empty());
}

void GpuTest::builds()
{
    if (!QFileInfo::exists(QString::fromStdString(library())))
        QSKIP("no NVRTC here: the environment of LibTorch brings it");
    const auto result = compileForGpu(extracted(candidate), "sm_90", library());
    QVERIFY(result.has_value());
    QVERIFY2(result->isBuilt, result->log.c_str());
    QVERIFY(result->cubin.find("scale") != std::string::npos); // the instance that the launch names
    const auto broken = compileForGpu(extracted("__global__ void k(float *x) { x[0] = nothing; }"), "sm_90", library());
    QVERIFY(broken.has_value());
    QVERIFY(!broken->isBuilt);
    QVERIFY(broken->log.find("nothing") != std::string::npos);
    QCOMPARE(gpuRefutation(broken->log), std::string());
}

void GpuTest::tooMuchSharedMemoryIsRefuted()
{
    if (!QFileInfo::exists(QString::fromStdString(library())))
        QSKIP("no NVRTC here: the environment of LibTorch brings it");
    const auto result = compileForGpu(
        extracted("__global__ void k(float *x) { __shared__ float s[20000]; s[threadIdx.x] = x[0]; __syncthreads();"
                  " x[threadIdx.x] = s[threadIdx.x + 1]; }"),
        "sm_90", library());
    QVERIFY(result.has_value());
    QVERIFY(!result->isBuilt);
    QVERIFY2(gpuRefutation(result->log).find("shared data") != std::string::npos, result->log.c_str());
}

void GpuTest::missingLibraryIsAnError()
{
    const auto result = compileForGpu(extracted(candidate), "sm_90", "/nonexistent/libnvrtc.so");
    QVERIFY(!result.has_value());
    QVERIFY(result.error().code == dice::ErrorCode::NotFound);
}

QTEST_GUILESS_MAIN(GpuTest)
#include "test_gpu.moc"
