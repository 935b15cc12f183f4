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

// Reductions of all elements to a number: one block, sums in double.
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

} // namespace

Kernel reductionKernel(std::string_view name)
{
    static const std::map<std::string, std::string, std::less<>> texts = [] {
        std::map<std::string, std::string, std::less<>> all;
        for (const ReductionRow &row : rows)
            all.emplace(row.name, kernelText(row));
        for (const WholeRow &row : wholeRows)
            all.emplace(row.name, wholeText(row));
        return all;
    }();
    const auto found = texts.find(name);
    return {found->first, found->second, name.find("_all") != std::string_view::npos};
}

std::vector<Operation> reductionOperations()
{
    // Kernel texts are views: the tables they point to live as long as the program.
    static const std::vector<std::string> texts = [] {
        std::vector<std::string> all;
        for (const ReductionRow &row : rows)
            all.push_back(kernelText(row));
        for (const PixelRow &row : pixelRows)
            all.push_back(pixelText(row));
        for (const WholeRow &row : wholeRows)
            all.push_back(wholeText(row));
        all.push_back(minAllText());
        return all;
    }();
    std::vector<Operation> operations;
    auto add = [&](std::string_view name, int ranks, std::function<void(Task &)> emit) -> Operation & {
        Operation operation;
        operation.name = name;
        operation.family = "reduction";
        operation.ranks = ranks;
        operation.emit = std::move(emit);
        operation.weight = 6;
        return operations.emplace_back(std::move(operation));
    };
    size_t index = 0;
    for (const ReductionRow &row : rows) {
        const std::string_view text = texts[index++];
        Operation &operation
            = add(row.name, anyRank & ~rank1, [row, text](Task &task) { emitReduction(task, row, text); });
        operation.start = row.isProduct ? Operation::Start::NearOne : Operation::Start::Tensor;
        operation.accepts
            = [row](const Task &task) { return !((row.isIndex || row.isProduct) && task.current().isComputed); };
    }
    for (const PixelRow &row : pixelRows) {
        const std::string_view text = texts[index++];
        add(row.name, rank4 | rank5, [row, text](Task &task) { emitPixels(task, row, text); }).start
            = Operation::Start::Channels;
    }
    add("center_pixels", rank4 | rank5, emitCenterPixels).start = Operation::Start::Channels;
    add("frobenius_normalize", rank2 | rank3 | rank4, emitFrobenius).weight = 3;
    for (const WholeRow &row : wholeRows) {
        const std::string_view text = texts[index++];
        add(row.name, anyRank,
            [row, text](Task &task) {
                emitWhole(task, task.rng().pick(row.forms), {row.name, text, true});
            })
            .weight
            = 2;
    }
    add("max_all", anyRank,
        [](Task &task) {
            emitWhole(task, task.rng().pick("torch.max({a})|{x}.max()"), {"max_all", maxAllText});
        })
        .weight
        = 2;
    const std::string_view minText = texts[index];
    add("min_all", anyRank,
        [minText](Task &task) {
            emitWhole(task, task.rng().pick("torch.min({a})|{x}.min()"), {"min_all", minText});
        })
        .weight
        = 2;
    return operations;
}

} // namespace dice::corpus
