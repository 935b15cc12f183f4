#include "sharedkernels.h"

#include "core/train/corpus/text.h"

namespace dice::corpus {

const Kernel bmmKernel = {
    "bmm",
    R"(__global__ void bmm_kernel(const float* a, const float* b, float* out, int64_t n, int64_t M, int64_t N, int64_t K) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* p = a + i / N * K;
    const float* q = b + i / N / M * K * N + i % N;
    double s = 0.0;
    for (int64_t k = 0; k < K; ++k) s += p[k] * q[k * N];
    out[i] = s;
}

torch::Tensor bmm_cuda(torch::Tensor a, torch::Tensor b) {
    a = a.contiguous();
    b = b.contiguous();
    int64_t M = a.size(-2), K = a.size(-1), N = b.size(-1);
    std::vector<int64_t> shape;
    for (int64_t k = 0; k < a.dim() - 1; ++k) shape.push_back(a.size(k));
    shape.push_back(N);
    auto out = torch::empty(shape, a.options());
    int64_t n = out.numel();
    bmm_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, M, N, K);
    return out;
}
)"};

const Kernel copyKernel = {"copy", R"(struct Layout {
    int dims;
    int64_t size[6], stride[6];
};

__global__ void copy_kernel(const float* x, float* out, int64_t n, Layout l) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t r = i, at = 0;
    for (int k = l.dims - 1; k >= 0; --k) {
        at += r % l.size[k] * l.stride[k];
        r /= l.size[k];
    }
    out[i] = x[at];
}

torch::Tensor copy_cuda(torch::Tensor x) {
    Layout l;
    std::vector<int64_t> shape;
    l.dims = x.dim();
    for (int k = 0; k < l.dims; ++k) {
        l.size[k] = x.size(k);
        l.stride[k] = x.stride(k);
        shape.push_back(x.size(k));
    }
    auto out = torch::empty(shape, x.options());
    int64_t n = out.numel();
    copy_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, l);
    return out;
}
)"};

namespace {

constexpr std::string_view triangleText
    = R"(__global__ void NAME_kernel(const float* x, float* out, int64_t n, int64_t R, int64_t C, int64_t d) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = i % C - i / C % R TEST d ? x[i] : 0.0f;
}

torch::Tensor NAME_cuda(torch::Tensor x, int64_t d) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t n = x.numel();
    NAME_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.size(-2), x.size(-1), d);
    return out;
}
)";

} // namespace

Kernel triangleKernel(bool isUpper)
{
    static const std::vector<std::string> texts = [] {
        std::vector<std::string> all;
        for (const char *name : {"triu", "tril"}) {
            std::string text(triangleText);
            replaceAll(text, "NAME", name);
            replaceAll(text, "TEST", std::string_view(name) == "triu" ? ">=" : "<=");
            all.push_back(text);
        }
        return all;
    }();
    return {isUpper ? "triu" : "tril", texts[isUpper ? 0 : 1]};
}

} // namespace dice::corpus
