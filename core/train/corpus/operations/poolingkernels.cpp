#include "poolingkernels.h"

#include "core/train/corpus/text.h"

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

} // namespace

Kernel poolingKernel(int numDims, bool isMax)
{
    constexpr Kernel kernels[2][3] = {{{"avg_pool1d", avg1d}, {"avg_pool2d", avg2d}, {"avg_pool3d", avg3d}},
                                      {{"max_pool1d", max1d}, {"max_pool2d", max2d}, {"max_pool3d", max3d}}};
    return kernels[isMax ? 1 : 0][numDims - 1];
}

Kernel adaptivePoolingKernel(int numDims, bool isMax)
{
    static const std::string texts[2][2]
        = {{adaptiveText(adaptive1d, false, "xp[w]", "(w1 - w0)"), adaptiveText(adaptive1d, true, "xp[w]", "")},
           {adaptiveText(adaptive2d, false, "xp[h * W + w]", "((h1 - h0) * (w1 - w0))"),
            adaptiveText(adaptive2d, true, "xp[h * W + w]", "")}};
    constexpr std::string_view names[2][2]
        = {{"adaptive_avg_pool1d", "adaptive_max_pool1d"}, {"adaptive_avg_pool2d", "adaptive_max_pool2d"}};
    if (numDims == 3)
        return {"adaptive_avg_pool3d", adaptiveAvg3d};
    return {names[numDims - 1][isMax ? 1 : 0], texts[numDims - 1][isMax ? 1 : 0]};
}

} // namespace dice::corpus
