#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/window.h"
#include "core/train/corpus/text.h"

#include <algorithm>

namespace dice::corpus {

namespace {

constexpr std::string_view max1d
    = R"(__global__ void max_pool1d_kernel(const float* x, float* out, int64_t n, int W, int Q, int k, int s, int p, int d) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q * W;
    float v = -INFINITY;
    for (int a = 0; a < k; ++a) {
        int w = i % Q * s - p + a * d;
        if (w >= 0 && w < W) v = fmaxf(v, xp[w]);
    }
    out[i] = v;
}

torch::Tensor max_pool1d_cuda(torch::Tensor x, int64_t k, int64_t s, int64_t p, int64_t d) {
    x = x.contiguous();
    int64_t W = x.size(2), Q = (W + 2 * p - d * (k - 1) - 1) / s + 1;
    auto out = torch::empty({x.size(0), x.size(1), Q}, x.options());
    int64_t n = out.numel();
    max_pool1d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, W, Q, k, s, p, d);
    return out;
}
)";

constexpr std::string_view max2d
    = R"(__global__ void max_pool2d_kernel(const float* x, float* out, int64_t n, int H, int W, int P, int Q, int k, int s, int p, int d) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q / P * H * W;
    float v = -INFINITY;
    for (int a = 0; a < k; ++a)
        for (int b = 0; b < k; ++b) {
            int h = i / Q % P * s - p + a * d, w = i % Q * s - p + b * d;
            if (h >= 0 && h < H && w >= 0 && w < W) v = fmaxf(v, xp[h * W + w]);
        }
    out[i] = v;
}

torch::Tensor max_pool2d_cuda(torch::Tensor x, int64_t k, int64_t s, int64_t p, int64_t d) {
    x = x.contiguous();
    int64_t H = x.size(2), P = (H + 2 * p - d * (k - 1) - 1) / s + 1;
    int64_t W = x.size(3), Q = (W + 2 * p - d * (k - 1) - 1) / s + 1;
    auto out = torch::empty({x.size(0), x.size(1), P, Q}, x.options());
    int64_t n = out.numel();
    max_pool2d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, H, W, P, Q, k, s, p, d);
    return out;
}
)";

constexpr std::string_view max3d
    = R"(__global__ void max_pool3d_kernel(const float* x, float* out, int64_t n, int D, int H, int W, int O, int P, int Q, int k, int s, int p, int d) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q / P / O * D * H * W;
    float v = -INFINITY;
    for (int a = 0; a < k; ++a)
        for (int b = 0; b < k; ++b)
            for (int c = 0; c < k; ++c) {
                int z = i / Q / P % O * s - p + a * d, h = i / Q % P * s - p + b * d, w = i % Q * s - p + c * d;
                if (z >= 0 && z < D && h >= 0 && h < H && w >= 0 && w < W) v = fmaxf(v, xp[(z * H + h) * W + w]);
            }
    out[i] = v;
}

torch::Tensor max_pool3d_cuda(torch::Tensor x, int64_t k, int64_t s, int64_t p, int64_t d) {
    x = x.contiguous();
    int64_t D = x.size(2), O = (D + 2 * p - d * (k - 1) - 1) / s + 1;
    int64_t H = x.size(3), P = (H + 2 * p - d * (k - 1) - 1) / s + 1;
    int64_t W = x.size(4), Q = (W + 2 * p - d * (k - 1) - 1) / s + 1;
    auto out = torch::empty({x.size(0), x.size(1), O, P, Q}, x.options());
    int64_t n = out.numel();
    max_pool3d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, D, H, W, O, P, Q, k, s, p, d);
    return out;
}
)";

// Padding counts as zeros in the mean, as PyTorch does by default.
constexpr std::string_view avg1d
    = R"(__global__ void avg_pool1d_kernel(const float* x, float* out, int64_t n, int W, int Q, int k, int s, int p) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q * W;
    double v = 0.0;
    for (int a = 0; a < k; ++a) {
        int w = i % Q * s - p + a;
        if (w >= 0 && w < W) v += xp[w];
    }
    out[i] = v / k;
}

torch::Tensor avg_pool1d_cuda(torch::Tensor x, int64_t k, int64_t s, int64_t p) {
    x = x.contiguous();
    int64_t W = x.size(2), Q = (W + 2 * p - k) / s + 1;
    auto out = torch::empty({x.size(0), x.size(1), Q}, x.options());
    int64_t n = out.numel();
    avg_pool1d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, W, Q, k, s, p);
    return out;
}
)";

constexpr std::string_view avg2d
    = R"(__global__ void avg_pool2d_kernel(const float* x, float* out, int64_t n, int H, int W, int P, int Q, int k, int s, int p) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q / P * H * W;
    double v = 0.0;
    for (int a = 0; a < k; ++a)
        for (int b = 0; b < k; ++b) {
            int h = i / Q % P * s - p + a, w = i % Q * s - p + b;
            if (h >= 0 && h < H && w >= 0 && w < W) v += xp[h * W + w];
        }
    out[i] = v / (k * k);
}

torch::Tensor avg_pool2d_cuda(torch::Tensor x, int64_t k, int64_t s, int64_t p) {
    x = x.contiguous();
    int64_t H = x.size(2), P = (H + 2 * p - k) / s + 1;
    int64_t W = x.size(3), Q = (W + 2 * p - k) / s + 1;
    auto out = torch::empty({x.size(0), x.size(1), P, Q}, x.options());
    int64_t n = out.numel();
    avg_pool2d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, H, W, P, Q, k, s, p);
    return out;
}
)";

constexpr std::string_view avg3d
    = R"(__global__ void avg_pool3d_kernel(const float* x, float* out, int64_t n, int D, int H, int W, int O, int P, int Q, int k, int s, int p) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q / P / O * D * H * W;
    double v = 0.0;
    for (int a = 0; a < k; ++a)
        for (int b = 0; b < k; ++b)
            for (int c = 0; c < k; ++c) {
                int z = i / Q / P % O * s - p + a, h = i / Q % P * s - p + b, w = i % Q * s - p + c;
                if (z >= 0 && z < D && h >= 0 && h < H && w >= 0 && w < W) v += xp[(z * H + h) * W + w];
            }
    out[i] = v / (k * k * k);
}

torch::Tensor avg_pool3d_cuda(torch::Tensor x, int64_t k, int64_t s, int64_t p) {
    x = x.contiguous();
    int64_t D = x.size(2), O = (D + 2 * p - k) / s + 1;
    int64_t H = x.size(3), P = (H + 2 * p - k) / s + 1;
    int64_t W = x.size(4), Q = (W + 2 * p - k) / s + 1;
    auto out = torch::empty({x.size(0), x.size(1), O, P, Q}, x.options());
    int64_t n = out.numel();
    avg_pool3d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, D, H, W, O, P, Q, k, s, p);
    return out;
}
)";

constexpr std::string_view adaptive2d
    = R"(__global__ void adaptive_NAME_pool2d_kernel(const float* x, float* out, int64_t n, int H, int W, int P, int Q) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q / P * H * W;
    int p = i / Q % P, q = i % Q;
    int h0 = p * H / P, h1 = ((p + 1) * H + P - 1) / P, w0 = q * W / Q, w1 = ((q + 1) * W + Q - 1) / Q;
    START
    for (int h = h0; h < h1; ++h)
        for (int w = w0; w < w1; ++w) STEP;
    out[i] = RESULT;
}

torch::Tensor adaptive_NAME_pool2d_cuda(torch::Tensor x, int64_t P, int64_t Q) {
    x = x.contiguous();
    auto out = torch::empty({x.size(0), x.size(1), P, Q}, x.options());
    int64_t n = out.numel();
    adaptive_NAME_pool2d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.size(2), x.size(3), P, Q);
    return out;
}
)";

constexpr std::string_view adaptive1d
    = R"(__global__ void adaptive_NAME_pool1d_kernel(const float* x, float* out, int64_t n, int W, int Q) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q * W;
    int q = i % Q;
    int64_t w0 = (int64_t)q * W / Q, w1 = ((q + 1) * (int64_t)W + Q - 1) / Q;
    START
    for (int64_t w = w0; w < w1; ++w) STEP;
    out[i] = RESULT;
}

torch::Tensor adaptive_NAME_pool1d_cuda(torch::Tensor x, int64_t Q) {
    x = x.contiguous();
    auto out = torch::empty({x.size(0), x.size(1), Q}, x.options());
    int64_t n = out.numel();
    adaptive_NAME_pool1d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.size(2), Q);
    return out;
}
)";

constexpr std::string_view adaptiveAvg3d
    = R"(__global__ void adaptive_avg_pool3d_kernel(const float* x, float* out, int64_t n, int D, int H, int W, int O, int P, int Q) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* xp = x + i / Q / P / O * D * H * W;
    int o = i / Q / P % O, p = i / Q % P, q = i % Q;
    int z0 = o * D / O, z1 = ((o + 1) * D + O - 1) / O, h0 = p * H / P, h1 = ((p + 1) * H + P - 1) / P, w0 = q * W / Q, w1 = ((q + 1) * W + Q - 1) / Q;
    double v = 0.0;
    for (int z = z0; z < z1; ++z)
        for (int h = h0; h < h1; ++h)
            for (int w = w0; w < w1; ++w) v += xp[(z * H + h) * W + w];
    out[i] = v / ((z1 - z0) * (h1 - h0) * (w1 - w0));
}

torch::Tensor adaptive_avg_pool3d_cuda(torch::Tensor x, int64_t O, int64_t P, int64_t Q) {
    x = x.contiguous();
    auto out = torch::empty({x.size(0), x.size(1), O, P, Q}, x.options());
    int64_t n = out.numel();
    adaptive_avg_pool3d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.size(2), x.size(3), x.size(4), O, P, Q);
    return out;
}
)";

// avg or max, filled in once for the life of the program.
std::string adaptiveText(std::string_view pattern, bool isMax, std::string_view element, std::string_view area)
{
    std::string text(pattern);
    replaceAll(text, "NAME", isMax ? "max" : "avg");
    replaceAll(text, "START", isMax ? "float v = -INFINITY;" : "double v = 0.0;");
    replaceAll(text, "STEP", isMax ? "v = fmaxf(v, " + std::string(element) + ")" : "v += " + std::string(element));
    replaceAll(text, "RESULT", isMax ? "v" : "v / " + std::string(area));
    return text;
}

std::string_view poolText(bool isMax, int dims)
{
    constexpr std::string_view texts[2][3] = {{avg1d, avg2d, avg3d}, {max1d, max2d, max3d}};
    return texts[isMax ? 1 : 0][dims - 1];
}

std::string_view poolName(bool isMax, int dims)
{
    constexpr std::string_view names[2][3]
        = {{"avg_pool1d", "avg_pool2d", "avg_pool3d"}, {"max_pool1d", "max_pool2d", "max_pool3d"}};
    return names[isMax ? 1 : 0][dims - 1];
}

struct PoolNumbers
{
    int64_t kernel = 2, stride = 2, padding = 0, dilation = 1;
    bool hasStride = false;
};

PoolNumbers drawNumbers(Task &task, bool isMax)
{
    Rng &rng = task.rng();
    int64_t smallest = task.shape()[2].size;
    for (size_t k = 3; k < task.shape().size(); ++k)
        smallest = std::min(smallest, task.shape()[k].size);
    PoolNumbers numbers;
    for (int tries = 0; tries < 30; ++tries) {
        numbers.kernel = std::stoi(rng.pick("2|2|2|3|3|4|5|7|8|11"));
        numbers.hasStride = rng.chance(60);
        numbers.stride = numbers.hasStride ? std::stoi(rng.pick("1|2|2|3|4")) : numbers.kernel;
        numbers.padding = rng.chance(40) ? rng.between(0, int(numbers.kernel) / 2) : 0;
        numbers.dilation = isMax && rng.chance(25) ? rng.between(1, 3) : 1;
        if (windowPositions(smallest, numbers.kernel, numbers.stride, numbers.padding, numbers.dilation) >= 2)
            return numbers;
    }
    return {2, 2, 0, 1, false};
}

Shape pooledShape(const Task &task, const PoolNumbers &numbers)
{
    Shape shape = task.shape();
    for (size_t k = 2; k < shape.size(); ++k)
        shape[k]
            = {windowPositions(shape[k].size, numbers.kernel, numbers.stride, numbers.padding, numbers.dilation), -1};
    return shape;
}

// Constructor or call arguments after the kernel size; every one drawn as literal or argument.
std::string poolArguments(Task &task, const PoolNumbers &numbers, bool isMax, bool inConstructor,
                          std::vector<std::string> &spelled)
{
    Rng &rng = task.rng();
    auto text = [&](std::string_view names, int64_t value, std::string_view other) {
        return inConstructor ? task.hyper(names, std::to_string(value), other) : std::to_string(value);
    };
    const std::string kernel = text("kernel_size|kernel_size|k|pool_kernel_size|pool_size", numbers.kernel, "2");
    std::string arguments = (rng.chance(45) ? "kernel_size=" : "") + kernel;
    spelled = {kernel, kernel, "0", "1"};
    const bool isPositional = arguments.find('=') == std::string::npos && rng.chance(40);
    if (numbers.hasStride) {
        spelled[1] = text("stride|stride|pool_stride", numbers.stride, "1");
        arguments += (isPositional ? ", " : ", stride=") + spelled[1];
    } else if (inConstructor && rng.chance(task.style().hasLongSignature ? 60 : 8)) {
        arguments += ", stride=" + task.hyper("stride", "None");
    }
    if (numbers.padding > 0 || rng.chance(20)) {
        spelled[2] = text("padding|padding|pad", numbers.padding, "0");
        arguments += (isPositional && numbers.hasStride ? ", " : ", padding=") + spelled[2];
    }
    if (isMax && (numbers.dilation > 1 || rng.chance(12))) {
        spelled[3] = text("dilation", numbers.dilation, "1");
        arguments += ", dilation=" + spelled[3];
    }
    if (inConstructor && isMax && task.style().hasLongSignature && rng.chance(40))
        arguments += ", return_indices=" + task.hyper("return_indices", "False");
    if (inConstructor && task.style().hasLongSignature && rng.chance(30))
        arguments += ", ceil_mode=" + task.hyper("ceil_mode", "False");
    return arguments;
}

void emitPool(Task &task, bool isMax, int dims)
{
    Rng &rng = task.rng();
    const PoolNumbers numbers = drawNumbers(task, isMax);
    const bool isModule = rng.chance(85);
    std::vector<std::string> spelled;
    const std::string arguments = poolArguments(task, numbers, isMax, isModule, spelled);
    const std::string kind = isMax ? "Max" : "Avg";
    const Shape shape = pooledShape(task, numbers);
    std::string call;
    if (isModule) {
        const std::string names = isMax ? "pool|maxpool|max_pool|pooling|pool1" : "pool|avg_pool|avgpool|pooling|avg";
        const std::string a
            = writeForm(task, "nn." + kind + "Pool" + std::to_string(dims) + "d(" + arguments + ")", shape, names);
        // nn.AvgPool1d keeps tuples where the others keep numbers.
        const std::string at = !isMax && dims == 1 ? "[0]" : "";
        call = ", " + a + ".kernel_size" + at + ", " + a + ".stride" + at + ", " + a + ".padding" + at
            + (isMax ? ", " + a + ".dilation" : "");
    } else {
        const std::string function = std::string("F.") + (isMax ? "max" : "avg") + "_pool" + std::to_string(dims) + "d";
        writeForm(task, function + "({a}, " + arguments + ")", shape);
        call = ", " + spelled[0] + ", " + spelled[1] + ", " + spelled[2] + (isMax ? ", " + spelled[3] : "");
    }
    task.apply({poolName(isMax, dims), poolText(isMax, dims)}, call);
}

void emitAdaptive(Task &task, bool isMax, int dims)
{
    static const std::string texts[2][2]
        = {{adaptiveText(adaptive1d, false, "xp[w]", "(w1 - w0)"), adaptiveText(adaptive1d, true, "xp[w]", "")},
           {adaptiveText(adaptive2d, false, "xp[h * W + w]", "((h1 - h0) * (w1 - w0))"),
            adaptiveText(adaptive2d, true, "xp[h * W + w]", "")}};
    constexpr std::string_view names[2][2]
        = {{"adaptive_avg_pool1d", "adaptive_max_pool1d"}, {"adaptive_avg_pool2d", "adaptive_max_pool2d"}};
    Rng &rng = task.rng();
    int64_t smallest = task.shape()[2].size;
    for (size_t k = 3; k < task.shape().size(); ++k)
        smallest = std::min(smallest, task.shape()[k].size);
    const int64_t size = rng.chance(65) ? 1 : rng.between(1, int(std::min<int64_t>(7, smallest)));
    const std::string number = std::to_string(size);
    const bool isTuple = dims > 1 && rng.chance(60);
    std::string text = number;
    for (int k = 1; isTuple && k < dims; ++k)
        text += ", " + number;
    if (isTuple)
        text = "(" + text + ")";
    Shape shape = task.shape();
    for (size_t k = 2; k < shape.size(); ++k)
        shape[k] = {size, -1};
    const std::string kind = isMax ? "Max" : "Avg";
    std::string call;
    if (rng.chance(80)) {
        writeForm(task, "nn.Adaptive" + kind + "Pool" + std::to_string(dims) + "d(" + text + ")", shape,
                  "pool|avg_pool|global_pool|gap|adaptive_pool|avgpool");
    } else {
        writeForm(task,
                  std::string("F.adaptive_") + (isMax ? "max" : "avg") + "_pool" + std::to_string(dims) + "d({a}, "
                      + text + ")",
                  shape);
    }
    for (int k = 0; k < dims; ++k)
        call += ", " + number;
    if (dims == 3)
        task.apply({"adaptive_avg_pool3d", adaptiveAvg3d}, call);
    else
        task.apply({names[dims - 1][isMax ? 1 : 0], texts[dims - 1][isMax ? 1 : 0]}, call);
}

bool hasRoom(const Task &task)
{
    for (size_t k = 2; k < task.shape().size(); ++k)
        if (task.shape()[k].size < 4)
            return false;
    return true;
}

} // namespace

std::vector<Operation> poolingOperations()
{
    std::vector<Operation> operations;
    constexpr int ranks[] = {rank3, rank4, rank5};
    for (bool isMax : {true, false}) {
        for (int dims = 1; dims <= 3; ++dims) {
            operations.push_back({std::string(poolName(isMax, dims)), "pooling", ranks[dims - 1],
                                  Operation::Start::Channels,
                                  [isMax, dims](Task &task) { emitPool(task, isMax, dims); }, hasRoom, 14});
            if (isMax && dims == 3)
                continue;
            operations.push_back(
                {std::string(isMax ? "adaptive_max_pool" : "adaptive_avg_pool") + std::to_string(dims) + "d", "pooling",
                 ranks[dims - 1], Operation::Start::Channels,
                 [isMax, dims](Task &task) { emitAdaptive(task, isMax, dims); }, hasRoom, isMax ? 2 : 8});
        }
    }
    return operations;
}

} // namespace dice::corpus
