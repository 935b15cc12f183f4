#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/sharedkernels.h"
#include "core/train/corpus/text.h"

#include <map>

namespace dice::corpus {

namespace {

// How a reduction along one axis is written: everything between the row's pointer `p` and out[i].
struct ReductionRow
{
    std::string_view name;
    std::string_view forms; // {a}: value, {x}: value before a dot, {d}: dim and keepdim
    std::string_view body;
    bool isIndex = false;
    bool isProduct = false; // rounding of factors near zero would be multiplied
    bool givesLarge = false;
};

constexpr std::string_view sumBody = "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += p[k * inner];\n";

constexpr ReductionRow rows[] = {
    {"sum_dim", "torch.sum({a}, {d})|{x}.sum({d})|torch.sum({a}, {d})",
     "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += p[k * inner];\n    out[i] = s;\n", false, false,
     true},
    {"mean_dim", "torch.mean({a}, {d})|{x}.mean({d})|torch.mean({a}, {d})",
     "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += p[k * inner];\n    out[i] = s / d;\n"},
    {"max_dim",
     "torch.max({a}, {d})[0]|{x}.max({d})[0]|torch.amax({a}, {d})|torch.max({a}, "
     "{d}).values|{x}.amax({d})|{x}.max({d}).values",
     "    float v = p[0];\n    for (int64_t k = 1; k < d; ++k) v = fmaxf(v, p[k * inner]);\n    out[i] = v;\n"},
    {"min_dim", "torch.min({a}, {d})[0]|{x}.min({d})[0]|torch.amin({a}, {d})|torch.min({a}, {d}).values|{x}.amin({d})",
     "    float v = p[0];\n    for (int64_t k = 1; k < d; ++k) v = fminf(v, p[k * inner]);\n    out[i] = v;\n"},
    {"prod_dim", "torch.prod({a}, {d})|{x}.prod({d})",
     "    double s = 1.0;\n    for (int64_t k = 0; k < d; ++k) s *= p[k * inner];\n    out[i] = s;\n", false, true,
     true},
    {"argmax_dim", "torch.argmax({a}, {d})|{x}.argmax({d})|torch.max({a}, {d})[1]",
     "    int64_t best = 0;\n    for (int64_t k = 1; k < d; ++k)\n        if (p[k * inner] > p[best * inner]) best = "
     "k;\n    out[i] = best;\n",
     true},
    {"argmin_dim", "torch.argmin({a}, {d})|{x}.argmin({d})|torch.min({a}, {d})[1]",
     "    int64_t best = 0;\n    for (int64_t k = 1; k < d; ++k)\n        if (p[k * inner] < p[best * inner]) best = "
     "k;\n    out[i] = best;\n",
     true},
    {"logsumexp_dim", "torch.logsumexp({a}, {d})|{x}.logsumexp({d})|torch.logsumexp({a}, {d})",
     "    float m = p[0];\n    for (int64_t k = 1; k < d; ++k) m = fmaxf(m, p[k * inner]);\n    double s = 0.0;\n    "
     "for (int64_t k = 0; k < d; ++k) s += expf(p[k * inner] - m);\n    out[i] = m + log(s);\n"},
    {"norm_dim",
     "torch.norm({a}, {d})|{x}.norm({d})|torch.linalg.norm({a}, {d})|torch.norm({a}, p=2, "
     "{d})|torch.linalg.vector_norm({a}, {d})",
     "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += (double)p[k * inner] * p[k * inner];\n    out[i] = "
     "sqrt(s);\n",
     false, false, true},
    {"norm1_dim", "torch.norm({a}, p=1, {d})|{x}.abs().sum({d})|torch.sum(torch.abs({a}), {d})|{x}.norm(p=1, {d})",
     "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += fabsf(p[k * inner]);\n    out[i] = s;\n", false,
     false, true},
    {"sum_squares_dim", "{x}.pow(2).sum({d})|torch.sum(torch.square({a}), {d})|torch.sum({x} ** 2, {d})",
     "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += (double)p[k * inner] * p[k * inner];\n    out[i] = "
     "s;\n",
     false, false, true},
    {"mean_squares_dim", "{x}.pow(2).mean({d})|torch.mean({x} ** 2, {d})|torch.mean({x}.pow(2), {d})",
     "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += (double)p[k * inner] * p[k * inner];\n    out[i] = "
     "s / d;\n"},
    {"var_dim", "torch.var({a}, {d})|{x}.var({d})",
     "    double s = 0.0, q = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += p[k * inner];\n    for (int64_t k = 0; k "
     "< d; ++k) q += (p[k * inner] - s / d) * (p[k * inner] - s / d);\n    out[i] = q / (d - 1);\n"},
    {"std_dim", "torch.std({a}, {d})|{x}.std({d})",
     "    double s = 0.0, q = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += p[k * inner];\n    for (int64_t k = 0; k "
     "< d; ++k) q += (p[k * inner] - s / d) * (p[k * inner] - s / d);\n    out[i] = sqrt(q / (d - 1));\n"},
    {"var_biased_dim", "torch.var({a}, {d}, unbiased=False)|{x}.var({d}, unbiased=False)",
     "    double s = 0.0, q = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += p[k * inner];\n    for (int64_t k = 0; k "
     "< d; ++k) q += (p[k * inner] - s / d) * (p[k * inner] - s / d);\n    out[i] = q / d;\n"},
};

std::string kernelText(const ReductionRow &row)
{
    const std::string name(row.name);
    const std::string type = row.isIndex ? "int64_t" : "float";
    return "__global__ void " + name + "_kernel(const float* x, " + type
        + "* out, int64_t n, int64_t d, int64_t inner) {\n"
          "    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;\n"
          "    if (i >= n) return;\n"
          "    const float* p = x + i / inner * d * inner + i % inner;\n"
        + std::string(row.body)
        + "}\n\n"
          "torch::Tensor "
        + name
        + "_cuda(torch::Tensor x, int64_t dim, bool keepdim) {\n"
          "    x = x.contiguous();\n"
          "    if (dim < 0) dim += x.dim();\n"
          "    std::vector<int64_t> shape;\n"
          "    for (int64_t k = 0; k < x.dim(); ++k)\n"
          "        if (k != dim || keepdim) shape.push_back(k == dim ? 1 : x.size(k));\n"
          "    auto out = torch::empty(shape, x.options()"
        + (row.isIndex ? ".dtype(torch::kInt64)" : "")
        + ");\n"
          "    int64_t n = out.numel();\n    "
        + name + "_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<" + type
        + ">(), n, x.size(dim), x.stride(dim));\n"
          "    return out;\n"
          "}\n";
}

void emitReduction(Task &task, const ReductionRow &row, std::string_view kernel)
{
    Rng &rng = task.rng();
    std::string form = rng.pick(row.forms);
    const std::string dim = pickDim(task);
    const int64_t index = dimIndex(dim, task.rank());
    const std::string dimText = task.setting("dim|dim|dim|axis|reduce_dim", dim);
    // Only where torch takes the dimension as its second argument.
    const bool isPositional
        = rng.chance(25) && form.find("norm") == std::string::npos && form.find("unbiased") == std::string::npos;
    const bool keeps = rng.chance(45);
    std::string dims = (isPositional ? "" : "dim=") + dimText;
    if (keeps)
        dims += ", keepdim=True";
    else if (rng.chance(5))
        dims += ", keepdim=False";
    replaceAll(form, "{x}", task.operand(Precedence::Atom));
    replaceAll(form, "{a}", task.operand());
    replaceAll(form, "{d}", dims);
    Shape shape = task.shape();
    if (keeps)
        shape[size_t(index)] = {1, -1};
    else
        shape.erase(shape.begin() + index);
    const bool isLarge = task.current().isLarge || row.givesLarge;
    task.set(form, Precedence::Atom, shape);
    task.current().isLarge = isLarge;
    task.apply({row.name, kernel}, ", " + dimText + (keeps ? ", True" : ", False"));
    task.current().isFinal = row.isIndex;
}

// Sum or mean over all pixels: dim=(2, 3).
struct PixelRow
{
    std::string_view name;
    std::string_view function;
    std::string_view body;
};

constexpr PixelRow pixelRows[] = {
    {"mean_pixels", "mean",
     "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += p[k];\n    out[i] = s / d;\n"},
    {"sum_pixels", "sum", "    double s = 0.0;\n    for (int64_t k = 0; k < d; ++k) s += p[k];\n    out[i] = s;\n"},
    {"max_pixels", "amax",
     "    float v = p[0];\n    for (int64_t k = 1; k < d; ++k) v = fmaxf(v, p[k]);\n    out[i] = v;\n"},
};

std::string pixelText(const PixelRow &row)
{
    const std::string name(row.name);
    return "__global__ void " + name
        + "_kernel(const float* x, float* out, int64_t n, int64_t d) {\n"
          "    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;\n"
          "    if (i >= n) return;\n"
          "    const float* p = x + i * d;\n"
        + std::string(row.body)
        + "}\n\n"
          "torch::Tensor "
        + name
        + "_cuda(torch::Tensor x, bool keepdim) {\n"
          "    x = x.contiguous();\n"
          "    std::vector<int64_t> shape = {x.size(0), x.size(1)};\n"
          "    for (int64_t k = 2; k < x.dim(); ++k)\n"
          "        if (keepdim) shape.push_back(1);\n"
          "    auto out = torch::empty(shape, x.options());\n"
          "    int64_t n = out.numel();\n    "
        + name
        + "_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.numel() / n);\n"
          "    return out;\n"
          "}\n";
}

void emitPixels(Task &task, const PixelRow &row, std::string_view kernel)
{
    Rng &rng = task.rng();
    std::string dims = task.rank() == 5 ? rng.pick("(2, 3, 4)|[2, 3, 4]|(-3, -2, -1)")
                                        : rng.pick("(2, 3)|[2, 3]|(2, 3)|(-2, -1)|[-2, -1]|(-1, -2)");
    const bool keeps = rng.chance(50);
    std::string arguments = (rng.chance(75) ? "dim=" : "") + dims + (keeps ? ", keepdim=True" : "");
    const std::string function(row.function);
    const bool isMethod = rng.chance(50);
    std::string text = isMethod ? task.operand(Precedence::Atom) + "." + function + "(" + arguments + ")"
                                : "torch." + function + "(" + task.operand() + ", " + arguments + ")";
    Shape shape{task.shape()[0], task.shape()[1]};
    if (keeps)
        shape.resize(task.shape().size(), Dim{1, -1});
    task.set(std::move(text), Precedence::Atom, shape);
    task.apply({row.name, kernel}, keeps ? ", True" : ", False");
}

constexpr Kernel centerPixels
    = {"center_pixels", R"(__global__ void center_pixels_kernel(const float* x, float* out, int64_t n, int64_t d) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0.0;
    for (int64_t k = i * d; k < i * d + d; ++k) s += x[k];
    for (int64_t k = i * d; k < i * d + d; ++k) out[k] = x[k] - s / d;
}

torch::Tensor center_pixels_cuda(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t n = x.size(0) * x.size(1);
    center_pixels_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.numel() / n);
    return out;
}
)"};

void emitCenterPixels(Task &task)
{
    const std::string x = task.named();
    const std::string dims = task.rank() == 5 ? "(2, 3, 4)" : task.rng().pick("(2, 3)|[2, 3]");
    const bool isFunction = task.rng().chance(65);
    const std::string mean = isFunction ? "torch.mean(" + x + ", dim=" + dims + ", keepdim=True)"
                                        : x + ".mean(dim=" + dims + ", keepdim=True)";
    const bool isLarge = task.current().isLarge;
    task.set(x + " - " + mean, Precedence::Arithmetic, task.shape());
    task.current().isLarge = isLarge;
    task.apply(centerPixels);
}

} // namespace

Kernel axisReductionKernel(std::string_view name)
{
    static const std::map<std::string, std::string, std::less<>> texts = [] {
        std::map<std::string, std::string, std::less<>> all;
        for (const ReductionRow &row : rows)
            all.emplace(row.name, kernelText(row));
        for (const PixelRow &row : pixelRows)
            all.emplace(row.name, pixelText(row));
        return all;
    }();
    const auto found = texts.find(name);
    return {found->first, found->second};
}

std::vector<Operation> reductionOperations()
{
    std::vector<Operation> operations;
    for (const ReductionRow &row : rows) {
        Operation operation;
        operation.name = row.name;
        operation.family = "reduction";
        operation.ranks = anyRank & ~rank1;
        operation.weight = 6;
        operation.start = row.isProduct ? Operation::Start::NearOne : Operation::Start::Tensor;
        operation.emit = [row](Task &task) { emitReduction(task, row, axisReductionKernel(row.name).text); };
        operation.accepts
            = [row](const Task &task) { return !((row.isIndex || row.isProduct) && task.current().isComputed); };
        operations.push_back(std::move(operation));
    }
    constexpr Operation::Start channels = Operation::Start::Channels;
    for (const PixelRow &row : pixelRows)
        operations.push_back({std::string(row.name),
                              "reduction",
                              rank4 | rank5,
                              channels,
                              [row](Task &task) { emitPixels(task, row, axisReductionKernel(row.name).text); },
                              {},
                              6});
    operations.push_back({"center_pixels", "reduction", rank4 | rank5, channels, emitCenterPixels, {}, 6});
    return operations;
}

} // namespace dice::corpus
