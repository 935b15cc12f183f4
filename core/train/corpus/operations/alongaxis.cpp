// Operations that work along one axis and keep the shape: softmax, scans, normalisation by hand.
#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/sharedkernels.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

struct AxisRow
{
    std::string_view name;
    std::string_view forms; // {d}: the axis; "nn." forms take it in the constructor
    std::string_view body; // reads p[k * inner], writes q[k * inner], k < d; $0: the number
    int flags = 0;
    std::string_view numberNames = {};
    std::string_view numbers = {};
};

enum AxisFlags { GivesPositive = 1, GivesLarge = 2, NeedsExact = 4, NearOne = 8, KeepsSign = 16 };

constexpr AxisRow softmaxRows[] = {
    {"softmax",
     "torch.softmax({a}, dim={d})|F.softmax({a}, dim={d})|nn.Softmax(dim={d})|{x}.softmax(dim={d})|torch.softmax({a}, "
     "{d})|torch.nn.functional.softmax({a}, dim={d})",
     R"(    float m = p[0];
    for (int64_t k = 1; k < d; ++k) m = fmaxf(m, p[k * inner]);
    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += expf(p[k * inner] - m);
    for (int64_t k = 0; k < d; ++k) q[k * inner] = expf(p[k * inner] - m) / s;
)",
     GivesPositive},
    {"log_softmax",
     "torch.log_softmax({a}, dim={d})|F.log_softmax({a}, "
     "dim={d})|nn.LogSoftmax(dim={d})|{x}.log_softmax(dim={d})|torch.log(torch.softmax({a}, dim={d}))",
     R"(    float m = p[0];
    for (int64_t k = 1; k < d; ++k) m = fmaxf(m, p[k * inner]);
    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += expf(p[k * inner] - m);
    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[k * inner] - m - log(s);
)"},
    {"softmin", "F.softmin({a}, dim={d})|nn.Softmin(dim={d})|F.softmax(-{f}, dim={d})",
     R"(    float m = p[0];
    for (int64_t k = 1; k < d; ++k) m = fminf(m, p[k * inner]);
    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += expf(m - p[k * inner]);
    for (int64_t k = 0; k < d; ++k) q[k * inner] = expf(m - p[k * inner]) / s;
)",
     GivesPositive},
};

constexpr AxisRow scanRows[] = {
    {"cumsum", "torch.cumsum({a}, dim={d})|{x}.cumsum(dim={d})|torch.cumsum({a}, {d})|torch.cumsum({a}, dim={d})",
     R"(    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) {
        s += p[k * inner];
        q[k * inner] = s;
    }
)",
     GivesLarge},
    {"cumprod", "torch.cumprod({a}, dim={d})|{x}.cumprod(dim={d})|torch.cumprod({a}, {d})|torch.cumprod({a}, dim={d})",
     R"(    double s = 1.0;
    for (int64_t k = 0; k < d; ++k) {
        s *= p[k * inner];
        q[k * inner] = s;
    }
)",
     GivesLarge | NeedsExact | NearOne},
    {"reverse_cumsum",
     "torch.cumsum({x}.flip({d}), dim={d}).flip({d})|torch.flip(torch.cumsum(torch.flip({a}, [{d}]), dim={d}), "
     "[{d}])|torch.flip(torch.cumsum(torch.flip({a}, dims=[{d}]), dim={d}), dims=[{d}])",
     R"(    double s = 0.0;
    for (int64_t k = d - 1; k >= 0; --k) {
        s += p[k * inner];
        q[k * inner] = s;
    }
)",
     GivesLarge},
    {"exclusive_cumsum",
     "torch.cat((torch.zeros_like({a}.select({d}, 0).unsqueeze({d})), torch.cumsum({a}.narrow({d}, 0, {a}.size({d}) - "
     "1), dim={d})), dim={d})|v,cumsum,c,sums<-torch.cumsum({a}.narrow(dim={d}, start=0, length={a}.size({d}) - 1), "
     "dim={d});;torch.cat((torch.zeros_like({a}.select({d}, 0).unsqueeze({d})), {v}), "
     "dim={d})|v,cumsum,c,sums<-torch.cumsum({a}, dim={d});;A:{v} - {a}|A:torch.cumsum({a}, dim={d}) - "
     "{y}|A:{x}.cumsum({d}) - {y}",
     R"(    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) {
        q[k * inner] = s;
        s += p[k * inner];
    }
)",
     GivesLarge},
    {"cummax", "torch.cummax({a}, dim={d})[0]|torch.cummax({a}, dim={d}).values|{x}.cummax(dim={d})[0]",
     R"(    float v = p[0];
    for (int64_t k = 0; k < d; ++k) {
        v = fmaxf(v, p[k * inner]);
        q[k * inner] = v;
    }
)"},
    {"cummin", "torch.cummin({a}, dim={d})[0]|torch.cummin({a}, dim={d}).values",
     R"(    float v = p[0];
    for (int64_t k = 0; k < d; ++k) {
        v = fminf(v, p[k * inner]);
        q[k * inner] = v;
    }
)"},
    {"flip", "torch.flip({a}, [{d}])|{x}.flip({d})|torch.flip({a}, dims=[{d}])|torch.flip({a}, dims=({d},))",
     "    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[(d - 1 - k) * inner];\n", KeepsSign},
};

constexpr AxisRow normaliseRows[] = {
    {"l1_normalize",
     "v,norm,n,total,l1<-torch.sum(torch.abs({a}), dim={d}, keepdim=True);;T:{a} / {v}|T:{x} / "
     "torch.sum(torch.abs({a}), dim={d}, keepdim=True)|T:{x} / {a}.abs().sum(dim={d}, "
     "keepdim=True)|F.normalize({a}, p=1, dim={d})|T:{x} / torch.norm({a}, p=1, dim={d}, "
     "keepdim=True)|F.normalize({a}, p=1.0, dim={d})",
     R"(    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += fabsf(p[k * inner]);
    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[k * inner] / s;
)"},
    {"l1_mean_normalize",
     "v,norm,n,scale<-torch.mean(torch.abs({a}), dim={d}, keepdim=True);;T:{a} / {v}|T:{x} / "
     "torch.mean(torch.abs({a}), dim={d}, keepdim=True)|T:{x} / {a}.abs().mean(dim={d}, keepdim=True)",
     R"(    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += fabsf(p[k * inner]);
    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[k * inner] / (s / d);
)"},
    {"l2_normalize",
     "v,norm,n,l2<-torch.norm({a}, p=2, dim={d}, keepdim=True);;T:{a} / {v}|v,norm,n,l2<-{a}.norm(dim={d}, "
     "keepdim=True);;T:{a} / {v}|T:{x} / torch.norm({a}, p=2, dim={d}, keepdim=True)|T:{x} / torch.norm({a}, dim={d}, "
     "keepdim=True)|F.normalize({a}, p=2, dim={d})|F.normalize({a}, dim={d})|T:{x} / {a}.norm(p=2, dim={d}, "
     "keepdim=True)|T:{x} / {a}.norm(dim={d}, keepdim=True)|T:{x} / torch.sqrt(torch.sum({a} ** 2, dim={d}, "
     "keepdim=True))|T:{x} / torch.sqrt({a}.pow(2).sum(dim={d}, keepdim=True))|F.normalize({a}, p=2.0, dim={d})",
     R"(    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += (double)p[k * inner] * p[k * inner];
    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[k * inner] / sqrt(s);
)"},
    {"l2_normalize_eps",
     "v,norm,n<-torch.norm({a}, p=2, dim={d}, keepdim=True);;T:{a} / ({v} + {0})|T:{x} / (torch.norm({a}, p=2, "
     "dim={d}, keepdim=True) + {0})|T:{x} / ({a}.norm(dim={d}, keepdim=True) + {0})",
     R"(    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += (double)p[k * inner] * p[k * inner];
    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[k * inner] / (sqrt(s) + eps);
)",
     0, "eps|epsilon", "1e-06|1e-08|1e-12|1e-05"},
    {"rms_normalize",
     "v,rms,r_,scale<-torch.sqrt(torch.mean({a} ** 2, dim={d}, keepdim=True) + {0});;T:{a} / "
     "{v}|v,rms,norm<-torch.sqrt(torch.mean({a} ** 2, dim={d}, keepdim=True) + {0});;T:{a} / "
     "{v}|v,variance,var,ms<-{a}.pow(2).mean(dim={d}, keepdim=True);;T:{a} * torch.rsqrt({v} + {0})|T:{x} / "
     "torch.sqrt(torch.mean({a} ** 2, dim={d}, keepdim=True) + {0})|T:{x} * "
     "torch.rsqrt({a}.pow(2).mean(dim={d}, keepdim=True) + {0})|T:{x} * torch.rsqrt(torch.mean({a} ** 2, dim={d}, "
     "keepdim=True) + {0})|T:{x} / ({a}.pow(2).mean({d}, keepdim=True) + {0}).sqrt()",
     R"(    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += (double)p[k * inner] * p[k * inner];
    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[k * inner] / sqrt(s / d + eps);
)",
     0, "eps|epsilon|variance_epsilon", "1e-05|1e-06|1e-08|1e-05"},
    {"standardize",
     "m,mean,mu<-{a}.mean(dim={d}, keepdim=True);;v,std,sd,sigma<-{a}.std(dim={d}, keepdim=True);;T:({a} - {m}) / ({v} "
     "+ {0})|T:({a} - {a}.mean(dim={d}, keepdim=True)) / ({a}.std(dim={d}, keepdim=True) + {0})|T:({a} - "
     "torch.mean({a}, "
     "dim={d}, keepdim=True)) / (torch.std({a}, dim={d}, keepdim=True) + {0})",
     R"(    double s = 0.0, v = 0.0;
    for (int64_t k = 0; k < d; ++k) s += p[k * inner];
    for (int64_t k = 0; k < d; ++k) v += (p[k * inner] - s / d) * (p[k * inner] - s / d);
    for (int64_t k = 0; k < d; ++k) q[k * inner] = (p[k * inner] - s / d) / (sqrt(v / (d - 1)) + eps);
)",
     0, "eps|epsilon", "1e-05|1e-06|1e-08|1e-05"},
    {"standardize_biased",
     "m,mean,mu<-{a}.mean(dim={d}, keepdim=True);;v,var,variance<-{a}.var(dim={d}, keepdim=True, "
     "unbiased=False);;T:({a} - {m}) / torch.sqrt({v} + {0})|T:({a} - {a}.mean(dim={d}, keepdim=True)) / "
     "torch.sqrt({a}.var(dim={d}, keepdim=True, unbiased=False) + "
     "{0})|T:({a} - {a}.mean({d}, keepdim=True)) * torch.rsqrt({a}.var({d}, keepdim=True, unbiased=False) + "
     "{0})|T:({a} - torch.mean({a}, dim={d}, keepdim=True)) / torch.sqrt(torch.var({a}, dim={d}, keepdim=True, "
     "unbiased=False) + {0})",
     R"(    double s = 0.0, v = 0.0;
    for (int64_t k = 0; k < d; ++k) s += p[k * inner];
    for (int64_t k = 0; k < d; ++k) v += (p[k * inner] - s / d) * (p[k * inner] - s / d);
    for (int64_t k = 0; k < d; ++k) q[k * inner] = (p[k * inner] - s / d) / sqrt(v / d + eps);
)",
     0, "eps|epsilon", "1e-05|1e-06|1e-08|1e-05"},
    {"center",
     "v,mean,mu,avg<-torch.mean({a}, dim={d}, keepdim=True);;A:{a} - {v}|A:{x} - {a}.mean(dim={d}, keepdim=True)|A:{x} "
     "- torch.mean({a}, dim={d}, keepdim=True)",
     R"(    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) s += p[k * inner];
    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[k * inner] - s / d;
)"},
    {"subtract_max",
     "A:{x} - torch.max({a}, dim={d}, keepdim=True)[0]|A:{x} - {a}.amax(dim={d}, keepdim=True)|A:{x} - torch.max({a}, "
     "dim={d}, keepdim=True).values",
     R"(    float m = p[0];
    for (int64_t k = 1; k < d; ++k) m = fmaxf(m, p[k * inner]);
    for (int64_t k = 0; k < d; ++k) q[k * inner] = p[k * inner] - m;
)"},
};

std::string kernelText(const AxisRow &row)
{
    const std::string name(row.name);
    const bool hasNumber = !row.numbers.empty();
    return "__global__ void " + name + "_kernel(const float* x, float* out, int64_t n, int64_t d, int64_t inner"
        + (hasNumber ? ", double eps" : "")
        + ") {\n"
          "    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;\n"
          "    if (i >= n) return;\n"
          "    const float* p = x + i / inner * d * inner + i % inner;\n"
          "    float* q = out + (p - x);\n"
        + std::string(row.body) + "}\n\ntorch::Tensor " + name + "_cuda(torch::Tensor x, int64_t dim"
        + (hasNumber ? ", double eps" : "")
        + ") {\n"
          "    x = x.contiguous();\n"
          "    if (dim < 0) dim += x.dim();\n"
          "    auto out = torch::empty_like(x);\n"
          "    int64_t n = x.numel() / x.size(dim);\n    "
        + name
        + "_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.size(dim), x.stride(dim)"
        + (hasNumber ? ", eps" : "")
        + ");\n"
          "    return out;\n"
          "}\n";
}

void emitAxis(Task &task, const AxisRow &row, std::string_view kernel)
{
    Rng &rng = task.rng();
    std::string form = rng.pick(row.forms);
    const bool isModule = form.rfind("nn.", 0) == 0;
    const std::string dim = pickDim(task);
    std::string arguments;
    if (isModule) {
        const std::string text = task.hyper("dim|axis", dim);
        replaceAll(form, "{d}", text);
        const std::string attribute = writeForm(task, form, task.shape(), "softmax|act|activation|sm|norm");
        arguments = text == dim ? ", " + dim : ", " + attribute + ".dim";
    } else {
        const std::string text = task.setting("dim|dim|dim|axis", dim);
        replaceAll(form, "{d}", text);
        arguments = ", " + text;
        if (!row.numbers.empty()) {
            const std::string number = task.setting(row.numberNames, rng.pick(row.numbers));
            replaceAll(form, "{0}", number);
            arguments += ", " + number;
        }
        writeForm(task, form, task.shape());
    }
    const bool wasPositive = (row.flags & KeepsSign) != 0 && task.current().isPositive;
    task.apply({row.name, kernel}, arguments);
    task.current().isPositive = wasPositive || (row.flags & GivesPositive) != 0;
    task.current().isLarge = (row.flags & GivesLarge) != 0;
}

template <size_t N>
void addRows(std::vector<Operation> &operations, const AxisRow (&rows)[N], const std::string *texts,
             std::string_view family)
{
    for (size_t k = 0; k < N; ++k) {
        const AxisRow &row = rows[k];
        const std::string_view text = texts[k];
        Operation operation;
        operation.name = row.name;
        operation.family = family;
        operation.ranks = rank2 | rank3 | rank4;
        operation.weight = row.name == "softmax" ? 15 : 4;
        operation.start = (row.flags & NearOne) != 0 ? Operation::Start::NearOne : Operation::Start::Tensor;
        operation.emit = [row, text](Task &task) { emitAxis(task, row, text); };
        operation.accepts
            = [flags = row.flags](const Task &task) { return (flags & NeedsExact) == 0 || !task.current().isComputed; };
        operations.push_back(std::move(operation));
    }
}

template <size_t N> std::vector<std::string> kernelTexts(const AxisRow (&rows)[N])
{
    std::vector<std::string> texts;
    for (const AxisRow &row : rows)
        texts.push_back(kernelText(row));
    return texts;
}

constexpr Kernel maskedCumsum = {
    "masked_cumsum",
    R"(__global__ void masked_cumsum_kernel(const float* x, const bool* mask, float* out, int64_t n, int64_t d, int64_t inner) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t base = i / inner * d * inner + i % inner;
    double s = 0.0;
    for (int64_t k = 0; k < d; ++k) {
        if (mask[base + k * inner]) s += x[base + k * inner];
        out[base + k * inner] = s;
    }
}

torch::Tensor masked_cumsum_cuda(torch::Tensor x, torch::Tensor mask, int64_t dim) {
    x = x.contiguous();
    mask = mask.contiguous();
    if (dim < 0) dim += x.dim();
    auto out = torch::empty_like(x);
    int64_t n = x.numel() / x.size(dim);
    masked_cumsum_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), mask.data_ptr<bool>(), out.data_ptr<float>(), n, x.size(dim), x.stride(dim));
    return out;
}
)"};

void emitMaskedCumsum(Task &task)
{
    const Value mask = task.addInput(
        "mask|m|keep|valid|mask_in", task.shape(),
        task.rng().pick("torch.randint(0, 2, ({})).bool()|torch.rand({}) > 0.5|torch.randint(0, 2, ({})).bool()"));
    const std::string dim = task.setting("dim|dim|axis", pickDim(task));
    writeForm(task,
              task.rng().pick("torch.cumsum({m} * " + mask.text + ", dim=" + dim + ")|({m} * " + mask.text
                              + ").cumsum(dim=" + dim + ")"),
              task.shape());
    task.apply(maskedCumsum, ", " + mask.text + ", " + dim);
    task.current().isLarge = true;
}

} // namespace

Kernel softmaxKernel()
{
    static const std::string text = kernelText(softmaxRows[0]);
    return {"softmax", text};
}

std::vector<Operation> softmaxOperations()
{
    static const std::vector<std::string> softmaxTexts = kernelTexts(softmaxRows);
    static const std::vector<std::string> normaliseTexts = kernelTexts(normaliseRows);
    std::vector<Operation> operations;
    addRows(operations, softmaxRows, softmaxTexts.data(), "softmax");
    addRows(operations, normaliseRows, normaliseTexts.data(), "normalise");
    return operations;
}

std::vector<Operation> scanOperations()
{
    static const std::vector<std::string> texts = kernelTexts(scanRows);
    std::vector<Operation> operations;
    addRows(operations, scanRows, texts.data(), "scan");
    Operation masked;
    masked.name = "masked_cumsum";
    masked.family = "scan";
    masked.ranks = rank2 | rank3;
    masked.weight = 1;
    masked.emit = emitMaskedCumsum;
    masked.accepts = [](const Task &task) {
        for (const Dim &dim : task.shape())
            if (dim.symbol < 0)
                return false;
        return true;
    };
    operations.push_back(std::move(masked));
    return operations;
}

} // namespace dice::corpus
