// Linear layers over the last axis; sums in double.
#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/sharedkernels.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

constexpr Kernel linear = {
    "linear",
    R"(__global__ void linear_kernel(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t N, int64_t K) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* p = x + i / N * K;
    const float* q = w + i % N * K;
    double s = b ? b[i % N] : 0.0f;
    for (int64_t k = 0; k < K; ++k) s += p[k] * q[k];
    out[i] = s;
}

torch::Tensor linear_cuda(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> b) {
    x = x.contiguous();
    int64_t N = w.size(0), K = w.size(1);
    std::vector<int64_t> shape;
    for (int64_t k = 0; k < x.dim() - 1; ++k) shape.push_back(x.size(k));
    shape.push_back(N);
    auto out = torch::empty(shape, x.options());
    int64_t n = out.numel();
    linear_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b ? b->data_ptr<float>() : nullptr, out.data_ptr<float>(), n, N, K);
    return out;
}
)"};

constexpr Kernel matmulWeight = {
    "matmul_weight",
    R"(__global__ void matmul_weight_kernel(const float* x, const float* w, float* out, int64_t n, int64_t N, int64_t K) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* p = x + i / N * K;
    double s = 0.0;
    for (int64_t k = 0; k < K; ++k) s += p[k] * w[k * N + i % N];
    out[i] = s;
}

torch::Tensor matmul_weight_cuda(torch::Tensor x, torch::Tensor w) {
    x = x.contiguous();
    int64_t K = w.size(0), N = w.size(1);
    std::vector<int64_t> shape;
    for (int64_t k = 0; k < x.dim() - 1; ++k) shape.push_back(x.size(k));
    shape.push_back(N);
    auto out = torch::empty(shape, x.options());
    int64_t n = out.numel();
    matmul_weight_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), out.data_ptr<float>(), n, N, K);
    return out;
}
)"};

constexpr std::string_view inNames
    = "in_features|input_size|in_dim|input_dim|inp|dim_in|in_features|n_in;IN|INP|K|DIN|I";
constexpr std::string_view outNames
    = "out_features|hidden_size|out_dim|output_dim|out|dim_out|out_features|output_size|n_out;OUT|O|N|DOUT|H";
constexpr std::string_view layerNames = "linear|fc|linear|gemm|proj|dense|layer|matmul|lin|fc1";

Shape outputShape(Task &task, Dim out)
{
    Shape shape = task.shape();
    shape.back() = out;
    return shape;
}

struct Sizes
{
    std::string in;
    std::string out;
    Dim outDim;
};

Sizes featureSizes(Task &task)
{
    Sizes sizes;
    sizes.in = task.sizeArgument(task.current().shape.back(), inNames);
    if (task.rng().chance(12)) { // square layers
        sizes.out = sizes.in;
        sizes.outDim = task.shape().back();
        return sizes;
    }
    sizes.outDim = task.newSizeArgument(
        outNames,
        task.pickSize("8|10|16|20|24|30|32|40|48|60|64|100", "10|64|128|256|512|1000|1024|2048|4096|8192|16384"));
    sizes.out = task.symbols()[size_t(sizes.outDim.symbol)].argument;
    return sizes;
}

void emitLinear(Task &task)
{
    Rng &rng = task.rng();
    Sizes sizes = featureSizes(task);
    std::string bias;
    if (rng.chance(15))
        bias = ", bias=False";
    else if (rng.chance(6))
        bias = ", bias=" + task.hyper("bias|use_bias", rng.pick("True|False"));
    const bool isNamed = rng.chance(6);
    const std::string form = isNamed ? "nn.Linear(in_features=" + sizes.in + ", out_features=" + sizes.out + bias + ")"
                                     : "nn.Linear(" + sizes.in + ", " + sizes.out + bias + ")";
    const std::string a = writeForm(task, form, outputShape(task, sizes.outDim), layerNames);
    task.apply(linear, ", " + a + ".weight, " + a + ".bias");
    task.current().isLarge = false;
}

std::string parameterFill(Rng &rng, const std::string &shape)
{
    std::string fill
        = rng.pick("torch.randn({})|torch.randn({}) * 0.02|torch.randn({}) * 0.1|torch.rand({})|torch.randn({})");
    replaceAll(fill, "{}", shape);
    return "nn.Parameter(" + fill + ")";
}

// F.linear or x @ weight.T with own parameters.
void emitFunctionalLinear(Task &task)
{
    Rng &rng = task.rng();
    Sizes sizes = featureSizes(task);
    const std::string weight
        = task.attribute("weight|w|W|weight|kernel", parameterFill(rng, sizes.out + ", " + sizes.in));
    const bool hasBias = rng.chance(60);
    const std::string bias = hasBias ? task.attribute("bias|b|bias", parameterFill(rng, sizes.out)) : "None";
    std::string form;
    if (rng.chance(55))
        form = "F.linear({a}, " + weight + (hasBias ? ", " + bias : "") + ")";
    else if (hasBias)
        form = rng.chance(50) ? "A:{m} @ " + weight + ".T + " + bias
                              : "A:torch.matmul({a}, " + weight + ".t()) + " + bias;
    else
        form = rng.chance(50) ? "T:{x} @ " + weight + ".T" : "torch.matmul({a}, " + weight + ".t())";
    writeForm(task, form, outputShape(task, sizes.outDim));
    task.apply(linear, ", " + weight + ", " + bias);
    task.current().isLarge = true;
}

void emitMatmulWeight(Task &task)
{
    Rng &rng = task.rng();
    Sizes sizes = featureSizes(task);
    const std::string weight
        = task.attribute("weight|w|W|weight|matrix|proj", parameterFill(rng, sizes.in + ", " + sizes.out));
    writeForm(task, rng.chance(50) ? "T:{x} @ " + weight : "torch.matmul({a}, " + weight + ")",
              outputShape(task, sizes.outDim));
    task.apply(matmulWeight, ", " + weight);
    task.current().isLarge = true;
}

bool acceptsLinear(const Task &task)
{
    return task.shape().back().symbol >= 0;
}

} // namespace

Kernel linearKernel()
{
    return linear;
}

std::vector<Operation> linearOperations()
{
    using Start = Operation::Start;
    return {
        {"linear", "linear", rank2 | rank3, Start::Tensor, emitLinear, acceptsLinear, 70},
        {"linear_functional", "linear", rank2 | rank3, Start::Tensor, emitFunctionalLinear, acceptsLinear, 8},
        {"matmul_weight", "linear", rank2 | rank3, Start::Tensor, emitMatmulWeight, acceptsLinear, 8},
    };
}

} // namespace dice::corpus
