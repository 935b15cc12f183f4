#include "convolutionkernels.h"

namespace dice::corpus {

namespace {

constexpr std::string_view conv1dText
    = R"(__global__ void conv1d_kernel(const float* x, const float* w, const float* b, float* out, int64_t n, int C, int W, int O, int S, int Q, int sw, int pw, int dw, int g) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int q = i % Q, o = i / Q % O, cg = C / g;
    const float* xp = x + (i / Q / O * C + o / (O / g) * cg) * W;
    const float* wp = w + o * cg * S;
    double v = b ? b[o] : 0.0f;
    for (int c = 0; c < cg; ++c)
        for (int s = 0; s < S; ++s) {
            int l = q * sw - pw + s * dw;
            if (l >= 0 && l < W) v += xp[(int64_t)c * W + l] * wp[c * S + s];
        }
    out[i] = v;
}

torch::Tensor conv1d_cuda(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> b, std::vector<int64_t> s, std::vector<int64_t> p, std::vector<int64_t> d, int64_t g) {
    x = x.contiguous();
    int64_t W = x.size(2), O = w.size(0), S = w.size(2), Q = (W + 2 * p[0] - d[0] * (S - 1) - 1) / s[0] + 1;
    auto out = torch::empty({x.size(0), O, Q}, x.options());
    int64_t n = out.numel();
    conv1d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b ? b->data_ptr<float>() : nullptr, out.data_ptr<float>(), n, x.size(1), W, O, S, Q, s[0], p[0], d[0], g);
    return out;
}
)";

constexpr std::string_view conv2dText
    = R"(__global__ void conv2d_kernel(const float* x, const float* w, const float* b, float* out, int64_t n, int C, int H, int W, int O, int R, int S, int P, int Q, int sh, int sw, int ph, int pw, int dh, int dw, int g) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int q = i % Q, p = i / Q % P, o = i / Q / P % O, cg = C / g;
    const float* xp = x + (i / Q / P / O * C + o / (O / g) * cg) * H * W;
    const float* wp = w + o * cg * R * S;
    double v = b ? b[o] : 0.0f;
    for (int c = 0; c < cg; ++c)
        for (int r = 0; r < R; ++r)
            for (int s = 0; s < S; ++s) {
                int h = p * sh - ph + r * dh, l = q * sw - pw + s * dw;
                if (h >= 0 && h < H && l >= 0 && l < W) v += xp[((int64_t)c * H + h) * W + l] * wp[(c * R + r) * S + s];
            }
    out[i] = v;
}

torch::Tensor conv2d_cuda(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> b, std::vector<int64_t> s, std::vector<int64_t> p, std::vector<int64_t> d, int64_t g) {
    x = x.contiguous();
    int64_t O = w.size(0), R = w.size(2), S = w.size(3);
    int64_t H = x.size(2), P = (H + 2 * p[0] - d[0] * (R - 1) - 1) / s[0] + 1;
    int64_t W = x.size(3), Q = (W + 2 * p[1] - d[1] * (S - 1) - 1) / s[1] + 1;
    auto out = torch::empty({x.size(0), O, P, Q}, x.options());
    int64_t n = out.numel();
    conv2d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b ? b->data_ptr<float>() : nullptr, out.data_ptr<float>(), n, x.size(1), H, W, O, R, S, P, Q, s[0], s[1], p[0], p[1], d[0], d[1], g);
    return out;
}
)";

constexpr std::string_view conv3dText
    = R"(__global__ void conv3d_kernel(const float* x, const float* w, const float* b, float* out, int64_t n, int C, int D, int H, int W, int O, int T, int R, int S, int N, int P, int Q, int sd, int sh, int sw, int pd, int ph, int pw, int dd, int dh, int dw, int g) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int q = i % Q, p = i / Q % P, m = i / Q / P % N, o = i / Q / P / N % O, cg = C / g;
    const float* xp = x + (i / Q / P / N / O * C + o / (O / g) * cg) * D * H * W;
    const float* wp = w + o * cg * T * R * S;
    double v = b ? b[o] : 0.0f;
    for (int c = 0; c < cg; ++c)
        for (int t = 0; t < T; ++t)
            for (int r = 0; r < R; ++r)
                for (int s = 0; s < S; ++s) {
                    int z = m * sd - pd + t * dd, h = p * sh - ph + r * dh, l = q * sw - pw + s * dw;
                    if (z >= 0 && z < D && h >= 0 && h < H && l >= 0 && l < W) v += xp[(((int64_t)c * D + z) * H + h) * W + l] * wp[((c * T + t) * R + r) * S + s];
                }
    out[i] = v;
}

torch::Tensor conv3d_cuda(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> b, std::vector<int64_t> s, std::vector<int64_t> p, std::vector<int64_t> d, int64_t g) {
    x = x.contiguous();
    int64_t O = w.size(0), T = w.size(2), R = w.size(3), S = w.size(4);
    int64_t D = x.size(2), N = (D + 2 * p[0] - d[0] * (T - 1) - 1) / s[0] + 1;
    int64_t H = x.size(3), P = (H + 2 * p[1] - d[1] * (R - 1) - 1) / s[1] + 1;
    int64_t W = x.size(4), Q = (W + 2 * p[2] - d[2] * (S - 1) - 1) / s[2] + 1;
    auto out = torch::empty({x.size(0), O, N, P, Q}, x.options());
    int64_t n = out.numel();
    conv3d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b ? b->data_ptr<float>() : nullptr, out.data_ptr<float>(), n, x.size(1), D, H, W, O, T, R, S, N, P, Q, s[0], s[1], s[2], p[0], p[1], p[2], d[0], d[1], d[2], g);
    return out;
}
)";

constexpr std::string_view transposed1dText
    = R"(__global__ void conv_transpose1d_kernel(const float* x, const float* w, const float* b, float* out, int64_t n, int C, int W, int O, int S, int Q, int sw, int pw, int dw, int g) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int q = i % Q, o = i / Q % O, cg = C / g, og = O / g;
    const float* xp = x + (i / Q / O * C + o / og * cg) * W;
    const float* wp = w + (o / og * cg * og + o % og) * S;
    double v = b ? b[o] : 0.0f;
    for (int c = 0; c < cg; ++c)
        for (int s = 0; s < S; ++s) {
            int l = q + pw - s * dw;
            if (l >= 0 && l % sw == 0 && l / sw < W) v += xp[(int64_t)c * W + l / sw] * wp[c * og * S + s];
        }
    out[i] = v;
}

torch::Tensor conv_transpose1d_cuda(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> b, std::vector<int64_t> s, std::vector<int64_t> p, std::vector<int64_t> e, std::vector<int64_t> d, int64_t g) {
    x = x.contiguous();
    int64_t W = x.size(2), O = w.size(1) * g, S = w.size(2), Q = (W - 1) * s[0] - 2 * p[0] + d[0] * (S - 1) + e[0] + 1;
    auto out = torch::empty({x.size(0), O, Q}, x.options());
    int64_t n = out.numel();
    conv_transpose1d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b ? b->data_ptr<float>() : nullptr, out.data_ptr<float>(), n, x.size(1), W, O, S, Q, s[0], p[0], d[0], g);
    return out;
}
)";

constexpr std::string_view transposed2dText
    = R"(__global__ void conv_transpose2d_kernel(const float* x, const float* w, const float* b, float* out, int64_t n, int C, int H, int W, int O, int R, int S, int P, int Q, int sh, int sw, int ph, int pw, int dh, int dw, int g) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int q = i % Q, p = i / Q % P, o = i / Q / P % O, cg = C / g, og = O / g;
    const float* xp = x + (i / Q / P / O * C + o / og * cg) * H * W;
    const float* wp = w + (o / og * cg * og + o % og) * R * S;
    double v = b ? b[o] : 0.0f;
    for (int r = 0; r < R; ++r)
        for (int s = 0; s < S; ++s) {
            int h = p + ph - r * dh, l = q + pw - s * dw;
            if (h < 0 || l < 0 || h % sh || l % sw || h / sh >= H || l / sw >= W) continue;
            for (int c = 0; c < cg; ++c) v += xp[((int64_t)c * H + h / sh) * W + l / sw] * wp[(c * og * R + r) * S + s];
        }
    out[i] = v;
}

torch::Tensor conv_transpose2d_cuda(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> b, std::vector<int64_t> s, std::vector<int64_t> p, std::vector<int64_t> e, std::vector<int64_t> d, int64_t g) {
    x = x.contiguous();
    int64_t O = w.size(1) * g, R = w.size(2), S = w.size(3);
    int64_t H = x.size(2), P = (H - 1) * s[0] - 2 * p[0] + d[0] * (R - 1) + e[0] + 1;
    int64_t W = x.size(3), Q = (W - 1) * s[1] - 2 * p[1] + d[1] * (S - 1) + e[1] + 1;
    auto out = torch::empty({x.size(0), O, P, Q}, x.options());
    int64_t n = out.numel();
    conv_transpose2d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b ? b->data_ptr<float>() : nullptr, out.data_ptr<float>(), n, x.size(1), H, W, O, R, S, P, Q, s[0], s[1], p[0], p[1], d[0], d[1], g);
    return out;
}
)";

constexpr std::string_view transposed3dText
    = R"(__global__ void conv_transpose3d_kernel(const float* x, const float* w, const float* b, float* out, int64_t n, int C, int D, int H, int W, int O, int T, int R, int S, int N, int P, int Q, int sd, int sh, int sw, int pd, int ph, int pw, int dd, int dh, int dw, int g) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int q = i % Q, p = i / Q % P, m = i / Q / P % N, o = i / Q / P / N % O, cg = C / g, og = O / g;
    const float* xp = x + (i / Q / P / N / O * C + o / og * cg) * D * H * W;
    const float* wp = w + (o / og * cg * og + o % og) * T * R * S;
    double v = b ? b[o] : 0.0f;
    for (int t = 0; t < T; ++t)
        for (int r = 0; r < R; ++r)
            for (int s = 0; s < S; ++s) {
                int z = m + pd - t * dd, h = p + ph - r * dh, l = q + pw - s * dw;
                if (z < 0 || h < 0 || l < 0 || z % sd || h % sh || l % sw || z / sd >= D || h / sh >= H || l / sw >= W) continue;
                for (int c = 0; c < cg; ++c) v += xp[(((int64_t)c * D + z / sd) * H + h / sh) * W + l / sw] * wp[((c * og * T + t) * R + r) * S + s];
            }
    out[i] = v;
}

torch::Tensor conv_transpose3d_cuda(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> b, std::vector<int64_t> s, std::vector<int64_t> p, std::vector<int64_t> e, std::vector<int64_t> d, int64_t g) {
    x = x.contiguous();
    int64_t O = w.size(1) * g, T = w.size(2), R = w.size(3), S = w.size(4);
    int64_t D = x.size(2), N = (D - 1) * s[0] - 2 * p[0] + d[0] * (T - 1) + e[0] + 1;
    int64_t H = x.size(3), P = (H - 1) * s[1] - 2 * p[1] + d[1] * (R - 1) + e[1] + 1;
    int64_t W = x.size(4), Q = (W - 1) * s[2] - 2 * p[2] + d[2] * (S - 1) + e[2] + 1;
    auto out = torch::empty({x.size(0), O, N, P, Q}, x.options());
    int64_t n = out.numel();
    conv_transpose3d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b ? b->data_ptr<float>() : nullptr, out.data_ptr<float>(), n, x.size(1), D, H, W, O, T, R, S, N, P, Q, s[0], s[1], s[2], p[0], p[1], p[2], d[0], d[1], d[2], g);
    return out;
}
)";

} // namespace

Kernel convolutionKernel(int numDims, bool isTransposed)
{
    constexpr Kernel kernels[2][3] = {
        {{"conv1d", conv1dText}, {"conv2d", conv2dText}, {"conv3d", conv3dText}},
        {{"conv_transpose1d", transposed1dText},
         {"conv_transpose2d", transposed2dText},
         {"conv_transpose3d", transposed3dText}},
    };
    return kernels[isTransposed ? 1 : 0][numDims - 1];
}

} // namespace dice::corpus
