// Losses: one block, every thread sums its share in double, one result.
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/lossforms.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

// Losses of two tensors of one shape, elementwise: sum of `element` over all, divided as the reduction says.
struct PointwiseRow
{
    std::string_view name;
    std::string_view forms; // {a}, {b}: the tensors; {0}: the number; "nn." forms are called with both
    std::string_view element; // of float u = a[i], v = b[i]
    std::string_view fills; // of both inputs, separated by '#'
    std::string_view numberNames = {};
    std::string_view numbers = {};
    std::string_view standard = {};
};

constexpr PointwiseRow rows[] = {
    {"mse_loss",
     "F.mse_loss({a}, {b})|torch.mean(({a} - {b}) ** 2)|nn.MSELoss()|torch.nn.functional.mse_loss({a}, "
     "{b})|torch.mean(torch.square({a} - {b}))|(({a} - {b}) ** 2).mean()|torch.mean(torch.pow({a} - {b}, 2))",
     "(double)(u - v) * (u - v)", "torch.randn({})#torch.randn({})"},
    {"l1_loss", "F.l1_loss({a}, {b})|torch.mean(torch.abs({a} - {b}))|nn.L1Loss()|torch.abs({a} - {b}).mean()",
     "fabsf(u - v)", "torch.randn({})#torch.randn({})"},
    {"smooth_l1_loss",
     "F.smooth_l1_loss({a}, {b})|torch.nn.functional.smooth_l1_loss({a}, {b})|nn.SmoothL1Loss()|F.smooth_l1_loss({a}, "
     "{b}, beta={0})|nn.SmoothL1Loss(beta={0})",
     "fabsf(u - v) < $0 ? 0.5f * (u - v) * (u - v) / $0 : fabsf(u - v) - 0.5f * $0", "torch.randn({})#torch.randn({})",
     "beta", "0.5|2.0|1.0", "1.0"},
    {"huber_loss", "F.huber_loss({a}, {b})|nn.HuberLoss()|F.huber_loss({a}, {b}, delta={0})|nn.HuberLoss(delta={0})",
     "fabsf(u - v) < $0 ? 0.5f * (u - v) * (u - v) : $0 * (fabsf(u - v) - 0.5f * $0)",
     "torch.randn({})#torch.randn({})", "delta", "0.5|2.0|1.5", "1.0"},
    {"bce_loss", "F.binary_cross_entropy({a}, {b})|nn.BCELoss()",
     "-v * fmaxf(logf(u), -100.0f) - (1.0f - v) * fmaxf(log1pf(-u), -100.0f)",
     "torch.rand({}) * 0.9 + 0.05#torch.rand({})"},
    {"bce_with_logits", "F.binary_cross_entropy_with_logits({a}, {b})|nn.BCEWithLogitsLoss()",
     "fmaxf(u, 0.0f) - u * v + log1pf(expf(-fabsf(u)))", "torch.randn({})#torch.rand({})"},
    {"hinge_loss",
     "torch.mean(torch.clamp(1 - {a} * {b}, min=0))|torch.mean(torch.relu(1 - {a} * {b}))|torch.clamp(1.0 - {a} * {b}, "
     "min=0.0).mean()|torch.clamp(1 - {a} * {b}, min=0).mean()|F.relu(1 - {a} * {b}).mean()",
     "fmaxf(1.0f - u * v, 0.0f)", "torch.randn({})#torch.randint(0, 2, ({})).float() * 2 - 1"},
    {"soft_margin_loss", "F.soft_margin_loss({a}, {b})|nn.SoftMarginLoss()", "log1pf(expf(-u * v))",
     "torch.randn({})#torch.randint(0, 2, ({})).float() * 2 - 1"},
    {"kl_div",
     "F.kl_div(torch.log({a}), {b}, reduction='batchmean')|torch.nn.functional.kl_div(torch.log({a}), {b}, "
     "reduction='batchmean')|F.kl_div({a}.log(), {b}, reduction='batchmean')",
     "v > 0.0f ? v * (logf(v) - logf(u)) : 0.0f", "torch.rand({}).softmax(dim=-1)#torch.rand({}).softmax(dim=-1)"},
    {"kl_div_log", "F.kl_div({a}, {b}, reduction='batchmean')|nn.KLDivLoss(reduction='batchmean')",
     "v > 0.0f ? v * (logf(v) - u) : 0.0f", "torch.randn({}).log_softmax(dim=-1)#torch.randn({}).softmax(dim=-1)"},
    {"poisson_nll", "F.poisson_nll_loss({a}, {b})|nn.PoissonNLLLoss()", "expf(u) - v * u",
     "torch.randn({})#torch.rand({}) * 5.0"},
    {"mse_sum",
     "F.mse_loss({a}, {b}, reduction='sum')|torch.sum(({a} - {b}) ** 2)|nn.MSELoss(reduction='sum')|(({a} - {b}) ** "
     "2).sum()",
     "(double)(u - v) * (u - v)", "torch.randn({})#torch.randn({})"},
    {"l1_sum", "F.l1_loss({a}, {b}, reduction='sum')|torch.sum(torch.abs({a} - {b}))|nn.L1Loss(reduction='sum')",
     "fabsf(u - v)", "torch.randn({})#torch.randn({})"},
};

std::string pointwiseText(const PointwiseRow &row)
{
    const std::string name(row.name);
    std::string element(row.element);
    replaceAll(element, "$0", "p0");
    const bool hasNumber = !row.numbers.empty();
    const bool isSum = name.find("_sum") != std::string::npos;
    const bool isBatch = name.rfind("kl_div", 0) == 0;
    const std::string divisor = isSum ? "" : isBatch ? " / rows" : " / n";
    return "__global__ void " + name + "_kernel(const float* a, const float* b, float* out, int64_t n"
        + (isBatch ? ", int64_t rows" : "") + (hasNumber ? ", float p0" : "")
        + ") {\n"
          "    double s = 0.0;\n"
          "    for (int64_t i = threadIdx.x; i < n; i += 256) {\n"
          "        float u = a[i], v = b[i];\n"
          "        s += "
        + element
        + ";\n"
          "    }\n"
          "    s = block_sum(s);\n"
          "    if (threadIdx.x == 0) out[0] = s"
        + divisor + ";\n}\n\ntorch::Tensor " + name + "_cuda(torch::Tensor a, torch::Tensor b"
        + (hasNumber ? ", double p0" : "")
        + ") {\n"
          "    a = a.contiguous();\n"
          "    b = b.contiguous();\n"
          "    auto out = torch::empty({}, a.options());\n    "
        + name + "_kernel<<<1, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), a.numel()"
        + (isBatch ? ", a.size(0)" : "") + (hasNumber ? ", p0" : "")
        + ");\n"
          "    return out;\n"
          "}\n";
}

std::string_view part(std::string_view text, bool isSecond)
{
    const size_t cut = text.find('#');
    return isSecond ? text.substr(cut + 1) : text.substr(0, cut);
}

void emitPointwise(Task &task, const PointwiseRow &row, std::string_view text)
{
    Rng &rng = task.rng();
    const LossNames names = lossNames(rng);
    const bool isVector
        = rng.chance(10) && row.name.rfind("kl_div", 0) != 0 && row.fills.find("randint") == std::string_view::npos;
    const Shape shape = isVector ? Shape{lossRows(task)} : Shape{lossRows(task), lossColumns(task)};
    task.begin(names.first, shape, part(row.fills, false));
    const std::string a = task.current().text;
    const std::string b = task.addInput(names.second, shape, part(row.fills, true)).text;
    std::string form = rng.pick(row.forms);
    const std::string number = lossNumber(task, form, row.numberNames, row.numbers, row.standard);
    replaceAll(form, "{a}", a);
    replaceAll(form, "{b}", b);
    setLoss(task, form, a + ", " + b);
    task.run({row.name, text, true}, a + ", " + b + numberCall(task, number));
}

} // namespace

std::vector<Operation> lossOperations()
{
    static const std::vector<std::string> texts = [] {
        std::vector<std::string> all;
        for (const PointwiseRow &row : rows)
            all.push_back(pointwiseText(row));
        return all;
    }();
    using Start = Operation::Start;
    std::vector<Operation> operations;
    for (size_t k = 0; k < texts.size(); ++k)
        operations.push_back(
            {std::string(rows[k].name),
             "loss",
             rank2,
             Start::Own,
             [row = rows[k], text = std::string_view(texts[k])](Task &task) { emitPointwise(task, row, text); },
             {},
             2});
    return operations;
}

} // namespace dice::corpus
