// Reductions of all elements: one block, sums in double.
#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/sharedkernels.h"
#include "core/train/corpus/text.h"

#include <map>

namespace dice::corpus {

namespace {

struct WholeRow
{
    std::string_view name;
    std::string_view forms;
    std::string_view element;
    std::string_view result;
};

constexpr WholeRow wholeRows[] = {
    {"sum_all", "torch.sum({a})|{x}.sum()", "x[i]", "s"},
    {"mean_all", "torch.mean({a})|{x}.mean()", "x[i]", "s / n"},
    {"norm_all", "torch.norm({a})|{x}.norm()|torch.linalg.norm({a})|torch.norm({a}, p='fro')", "(double)x[i] * x[i]",
     "sqrt(s)"},
    {"mean_squares_all", "{x}.pow(2).mean()|torch.mean({a} ** 2)|torch.mean(torch.square({a}))", "(double)x[i] * x[i]",
     "s / n"},
    {"mean_abs_all", "{x}.abs().mean()|torch.mean(torch.abs({a}))", "fabsf(x[i])", "s / n"},
    {"sum_squares_all", "{x}.pow(2).sum()|torch.sum({a} ** 2)|torch.sum(torch.square({a}))", "(double)x[i] * x[i]",
     "s"},
};

std::string wholeText(const WholeRow &row)
{
    const std::string name(row.name);
    return "__global__ void " + name
        + "_kernel(const float* x, float* out, int64_t n) {\n"
          "    double s = 0.0;\n"
          "    for (int64_t i = threadIdx.x; i < n; i += 256) s += "
        + std::string(row.element)
        + ";\n"
          "    s = block_sum(s);\n"
          "    if (threadIdx.x == 0) out[0] = "
        + std::string(row.result)
        + ";\n}\n\n"
          "torch::Tensor "
        + name
        + "_cuda(torch::Tensor x) {\n"
          "    x = x.contiguous();\n"
          "    auto out = torch::empty({}, x.options());\n    "
        + name
        + "_kernel<<<1, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.numel());\n"
          "    return out;\n"
          "}\n";
}

constexpr std::string_view maxAllText = R"(__global__ void max_all_kernel(const float* x, float* out, int64_t n) {
    __shared__ float buf[256];
    float v = x[0];
    for (int64_t i = threadIdx.x; i < n; i += 256) v = fmaxf(v, x[i]);
    buf[threadIdx.x] = v;
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (threadIdx.x < k) buf[threadIdx.x] = fmaxf(buf[threadIdx.x], buf[threadIdx.x + k]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = buf[0];
}

torch::Tensor max_all_cuda(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty({}, x.options());
    max_all_kernel<<<1, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.numel());
    return out;
}
)";

std::string minAllText()
{
    std::string text(maxAllText);
    replaceAll(text, "max_all", "min_all");
    replaceAll(text, "fmaxf", "fminf");
    return text;
}

void emitWhole(Task &task, std::string form, const Kernel &kernel)
{
    if (form.find(" ** ") != std::string::npos)
        task.named();
    replaceAll(form, "{x}", task.operand(Precedence::Atom));
    replaceAll(form, "{a}", task.operand());
    task.set(form, Precedence::Atom, {});
    task.current().isLarge = true;
    task.apply(kernel);
}

constexpr Kernel frobenius
    = {"frobenius_normalize", R"(__global__ void frobenius_norm_kernel(const float* x, float* s, int64_t n) {
    double v = 0.0;
    for (int64_t i = threadIdx.x; i < n; i += 256) v += (double)x[i] * x[i];
    v = block_sum(v);
    if (threadIdx.x == 0) s[0] = sqrt(v);
}

__global__ void frobenius_normalize_kernel(const float* x, const float* s, float* out, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] / s[0];
}

torch::Tensor frobenius_normalize_cuda(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    auto s = torch::empty({1}, x.options());
    int64_t n = x.numel();
    frobenius_norm_kernel<<<1, 256>>>(x.data_ptr<float>(), s.data_ptr<float>(), n);
    frobenius_normalize_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), s.data_ptr<float>(), out.data_ptr<float>(), n);
    return out;
}
)",
       true};

void emitFrobenius(Task &task)
{
    const std::string form = task.rng().pick(
        "T:{x} / torch.norm({a}, p='fro')|T:{x} / torch.norm({a})|T:{x} / {a}.norm()|v,norm,n,fro<-torch.norm({a}, "
        "p='fro');;T:{a} / {v}|v,norm,n<-torch.norm({a});;T:{a} / {v}|T:{x} / torch.linalg.norm({a})");
    // torch.linalg.norm of more than two axes is something else.
    const bool isLinear = form.find("linalg") != std::string::npos && task.rank() > 2;
    writeForm(task, isLinear ? "T:{x} / torch.norm({a})" : form, task.shape());
    task.apply(frobenius);
    task.current().isLarge = false;
}

} // namespace

Kernel wholeReductionKernel(std::string_view name)
{
    static const std::map<std::string, std::string, std::less<>> texts = [] {
        std::map<std::string, std::string, std::less<>> all;
        for (const WholeRow &row : wholeRows)
            all.emplace(row.name, wholeText(row));
        all.emplace("max_all", maxAllText);
        all.emplace("min_all", minAllText());
        return all;
    }();
    const auto found = texts.find(name);
    return {found->first, found->second, found->second.find("block_sum") != std::string::npos};
}

std::vector<Operation> wholeReductionOperations()
{
    using Start = Operation::Start;
    std::vector<Operation> operations;
    auto add = [&](std::string_view name, std::string_view forms) {
        operations.push_back(
            {std::string(name),
             "reduction",
             anyRank,
             Start::Tensor,
             [name, forms](Task &task) { emitWhole(task, task.rng().pick(forms), wholeReductionKernel(name)); },
             {},
             2});
    };
    for (const WholeRow &row : wholeRows)
        add(row.name, row.forms);
    add("max_all", "torch.max({a})|{x}.max()");
    add("min_all", "torch.min({a})|{x}.min()");
    operations.push_back(
        {"frobenius_normalize", "normalise", rank2 | rank3 | rank4, Start::Tensor, emitFrobenius, {}, 3});
    return operations;
}

} // namespace dice::corpus
