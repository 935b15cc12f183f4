// Losses and similarities that look at whole rows.
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/lossforms.h"
#include "core/train/corpus/operations/sharedkernels.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

constexpr Kernel crossEntropy = {
    "cross_entropy",
    R"(__global__ void cross_entropy_kernel(const float* x, const int64_t* t, float* out, int64_t n, int64_t d, double eps) {
    double s = 0.0;
    for (int64_t i = threadIdx.x; i < n; i += 256) {
        const float* p = x + i * d;
        float m = p[0];
        for (int64_t k = 1; k < d; ++k) m = fmaxf(m, p[k]);
        double z = 0.0, u = 0.0;
        for (int64_t k = 0; k < d; ++k) {
            z += expf(p[k] - m);
            u += p[k];
        }
        s += m + log(z) - (1.0 - eps) * p[t[i]] - eps * u / d;
    }
    s = block_sum(s);
    if (threadIdx.x == 0) out[0] = s / n;
}

torch::Tensor cross_entropy_cuda(torch::Tensor x, torch::Tensor t, double eps) {
    x = x.contiguous();
    t = t.contiguous();
    auto out = torch::empty({}, x.options());
    cross_entropy_kernel<<<1, 256>>>(x.data_ptr<float>(), t.data_ptr<int64_t>(), out.data_ptr<float>(), x.size(0), x.size(1), eps);
    return out;
}
)",
    true};

constexpr Kernel nllLoss = {
    "nll_loss", R"(__global__ void nll_loss_kernel(const float* x, const int64_t* t, float* out, int64_t n, int64_t d) {
    double s = 0.0;
    for (int64_t i = threadIdx.x; i < n; i += 256) s -= x[i * d + t[i]];
    s = block_sum(s);
    if (threadIdx.x == 0) out[0] = s / n;
}

torch::Tensor nll_loss_cuda(torch::Tensor x, torch::Tensor t) {
    x = x.contiguous();
    t = t.contiguous();
    auto out = torch::empty({}, x.options());
    nll_loss_kernel<<<1, 256>>>(x.data_ptr<float>(), t.data_ptr<int64_t>(), out.data_ptr<float>(), x.size(0), x.size(1));
    return out;
}
)",
    true};

struct ClassTask
{
    std::string logits;
    std::string target;
};

ClassTask beginClasses(Task &task, std::string_view fill, LossNames names)
{
    const Dim rowsSize = lossRows(task);
    const Dim classes = task.newDim("num_classes|classes|n_classes|c;C|CLASSES|K",
                                    task.pickSize("5|10|12|16|20|32|50", "10|100|1000|4096|32000"));
    task.begin(names.first, {rowsSize, classes}, fill);
    ClassTask made;
    made.logits = task.current().text;
    const std::string count = "${" + std::to_string(classes.symbol) + "}",
                      number = "${" + std::to_string(rowsSize.symbol) + "}";
    made.target
        = task.addInput(names.second, {rowsSize, classes}, "torch.randint(0, " + count + ", (" + number + ",))").text;
    return made;
}

LossNames classNames(Rng &rng)
{
    return rng.chance(40) ? LossNames{"logits", "target"} : lossNames(rng);
}

void emitCrossEntropy(Task &task)
{
    Rng &rng = task.rng();
    const ClassTask made
        = beginClasses(task, rng.pick("torch.randn({})|torch.randn({})|torch.rand({})"), classNames(rng));
    const std::string call = made.logits + ", " + made.target;
    std::string form = rng.pick("F.cross_entropy({c})|F.cross_entropy({c})|nn.CrossEntropyLoss()|torch.nn.functional."
                                "cross_entropy({c})|F.cross_entropy({c}, label_smoothing={0})|F.cross_entropy({c}, "
                                "label_smoothing={0})|nn.CrossEntropyLoss(label_smoothing={0})");
    const std::string number = lossNumber(task, form, "label_smoothing|smoothing|smooth|eps", "0.1|0.05|0.2", "0.0");
    replaceAll(form, "{c}", call);
    setLoss(task, form, call);
    task.run(crossEntropy, call + numberCall(task, number));
}

// Cross entropy plus a weighted penalty on the logits.
void emitPenalisedCrossEntropy(Task &task)
{
    Rng &rng = task.rng();
    const ClassTask made = beginClasses(task, "torch.randn({})",
                                        {rng.chance(75) ? "logits" : "scores", rng.chance(50) ? "target" : "labels"});
    const std::string call = made.logits + ", " + made.target;
    std::string form = rng.pick("F.cross_entropy({c})|F.cross_entropy({c}, label_smoothing={0})|F.cross_entropy({c}, "
                                "label_smoothing={0})|torch.nn.functional.cross_entropy({c})");
    const std::string smoothing = lossNumber(task, form, "label_smoothing|smoothing|smooth|eps", "0.1|0.05|0.2", "0.0");
    replaceAll(form, "{c}", call);
    setLoss(task, form, call);
    task.run(crossEntropy, call + numberCall(task, smoothing));
    const std::string loss = task.assignLocal("loss|ce|l|nll", task.current().text);
    const std::string kept = task.keepAnswer();
    const std::string weight
        = task.setting("weight|penalty|coefficient|z_weight|lam|alpha", rng.pick("0.01|0.001|0.1|0.0001|0.05"));
    struct Penalty
    {
        std::string_view text;
        bool isLogSumExp;
        std::string_view reduction;
    };
    constexpr Penalty penalties[] = {
        {"torch.logsumexp({x}, dim=1).pow(2).mean()", true, "mean_squares_all"},
        {"(torch.logsumexp({x}, dim=1) ** 2).mean()", true, "mean_squares_all"},
        {"torch.mean(torch.logsumexp({x}, dim=-1) ** 2)", true, "mean_squares_all"},
        {"{x}.pow(2).mean()", false, "mean_squares_all"},
        {"torch.mean({x} ** 2)", false, "mean_squares_all"},
        {"{x}.abs().mean()", false, "mean_abs_all"},
    };
    const Penalty &penalty = penalties[rng.below(6)];
    std::string text(penalty.text);
    replaceAll(text, "{x}", made.logits);
    const bool isLast = text.find("dim=-1") != std::string::npos;
    if (penalty.isLogSumExp)
        task.run(axisReductionKernel("logsumexp_dim"), made.logits + (isLast ? ", -1, False" : ", 1, False"));
    task.run(wholeReductionKernel(penalty.reduction), penalty.isLogSumExp ? "x" : made.logits);
    if (rng.chance(30))
        text = task.assignLocal("penalty|reg|z_loss|extra", text);
    task.set(loss + " + " + weight + " * " + text, Precedence::Arithmetic, {});
    task.elementwise({"mul", "v = v * $0;", {weight}, {}});
    task.elementwise({"add", "v = v + @0;", {}, {{kept, Broadcast::Same}}});
}

void emitNll(Task &task)
{
    Rng &rng = task.rng();
    const ClassTask made = beginClasses(
        task, rng.pick("torch.randn({})|torch.randn({}).log_softmax(dim=1)|torch.log_softmax(torch.randn({}), dim=1)"),
        classNames(rng));
    const std::string call = made.logits + ", " + made.target;
    std::string form = rng.pick("F.nll_loss({c})|nn.NLLLoss()|F.nll_loss({c})");
    replaceAll(form, "{c}", call);
    setLoss(task, form, call);
    task.run(nllLoss, call);
}

constexpr Kernel tripletLoss = {
    "triplet_loss",
    R"(__global__ void triplet_loss_kernel(const float* a, const float* p, const float* q, float* out, int64_t n, int64_t d, double margin) {
    double s = 0.0;
    for (int64_t i = threadIdx.x; i < n; i += 256) {
        double u = 0.0, v = 0.0;
        for (int64_t k = i * d; k < i * d + d; ++k) {
            double e = a[k] - p[k] + 1e-6, f = a[k] - q[k] + 1e-6;
            u += e * e;
            v += f * f;
        }
        double z = sqrt(u) - sqrt(v) + margin;
        s += z > 0.0 ? z : 0.0;
    }
    s = block_sum(s);
    if (threadIdx.x == 0) out[0] = s / n;
}

torch::Tensor triplet_loss_cuda(torch::Tensor a, torch::Tensor p, torch::Tensor q, double margin) {
    a = a.contiguous();
    p = p.contiguous();
    q = q.contiguous();
    auto out = torch::empty({}, a.options());
    triplet_loss_kernel<<<1, 256>>>(a.data_ptr<float>(), p.data_ptr<float>(), q.data_ptr<float>(), out.data_ptr<float>(), a.size(0), a.size(1), margin);
    return out;
}
)",
    true};

void emitTriplet(Task &task)
{
    Rng &rng = task.rng();
    const Shape shape{lossRows(task), lossColumns(task)};
    const std::string fill = rng.pick("torch.randn({})|torch.randn({})|torch.rand({})");
    task.begin("anchor|a|anchor|x", shape, fill);
    std::string call = task.current().text;
    const bool isShort = rng.chance(20);
    call += ", " + task.addInput(isShort ? "pos|p|near" : "positive|pos|near", shape, fill).text;
    call += ", " + task.addInput(isShort ? "neg|n|far" : "negative|neg|far", shape, fill).text;
    std::string form
        = rng.pick("F.triplet_margin_loss({c}, "
                   "margin={0})|nn.TripletMarginLoss(margin={0})|F.triplet_margin_loss({c})|nn.TripletMarginLoss("
                   "margin={0})|torch.nn.functional.triplet_margin_loss({c}, margin={0})|nn.TripletMarginLoss({0})");
    const std::string number = lossNumber(task, form, "margin|margin|margin|m", "0.2|0.5|1.0|0.7|2.0|0.3", "1.0");
    replaceAll(form, "{c}", call);
    setLoss(task, form, call);
    task.run(tripletLoss, call + numberCall(task, number));
}

constexpr Kernel cosineSimilarity
    = {"cosine_similarity",
       R"(__global__ void cosine_similarity_kernel(const float* a, const float* b, float* out, int64_t n, int64_t d) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0.0, u = 0.0, v = 0.0;
    for (int64_t k = i * d; k < i * d + d; ++k) {
        s += (double)a[k] * b[k];
        u += (double)a[k] * a[k];
        v += (double)b[k] * b[k];
    }
    out[i] = s / sqrt(u * v);
}

torch::Tensor cosine_similarity_cuda(torch::Tensor a, torch::Tensor b) {
    a = a.contiguous();
    b = b.contiguous();
    int64_t d = a.size(1), n = a.size(0);
    auto out = torch::empty({n}, a.options());
    cosine_similarity_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, d);
    return out;
}
)"};

void emitCosine(Task &task, bool isLoss)
{
    Rng &rng = task.rng();
    const LossNames names = rng.chance(40) ? LossNames{"x1", "x2"} : lossNames(rng);
    const Shape shape{lossRows(task), lossColumns(task)};
    task.begin(names.first, shape);
    const std::string a = task.current().text;
    const std::string b = task.addInput(names.second, shape).text;
    const std::string call = a + ", " + b;
    std::string form = rng.pick(
        "F.cosine_similarity({c}, dim=1)|F.cosine_similarity({c}, dim=-1)|torch.nn.functional.cosine_similarity({c}, "
        "dim=1)|torch.cosine_similarity({c}, dim=1)|F.cosine_similarity({c})");
    if (!isLoss && rng.chance(25)) {
        const std::string attribute = task.attribute("cos|cosine|sim|similarity", "nn.CosineSimilarity(dim=1)");
        form = attribute + "({c})";
    }
    replaceAll(form, "{c}", call);
    form = task.withFunctional(std::move(form));
    task.set(form, Precedence::Atom, {shape[0]});
    task.run(cosineSimilarity, call);
    if (!isLoss)
        return;
    if (rng.chance(35))
        form = task.assignLocal("cosine_sim|sim|cos|similarity|c", form);
    task.set(rng.chance(75)       ? "torch.mean(1 - " + form + ")"
                 : rng.chance(50) ? "torch.mean(1.0 - " + form + ")"
                                  : "(1 - " + form + ").mean()",
             Precedence::Atom, {});
    task.elementwise({"rsub", "v = 1.0f - v;", {}, {}});
    task.apply(wholeReductionKernel("mean_all"));
}

} // namespace

std::vector<Operation> rowLossOperations()
{
    using Start = Operation::Start;
    std::vector<Operation> operations;
    operations.push_back({"cross_entropy", "loss", rank2, Start::Own, emitCrossEntropy, {}, 4});
    operations.push_back({"cross_entropy_penalty", "loss", rank2, Start::Own, emitPenalisedCrossEntropy, {}, 3});
    operations.push_back({"nll_loss", "loss", rank2, Start::Own, emitNll, {}, 1});
    operations.push_back({"triplet_loss", "loss", rank2, Start::Own, emitTriplet, {}, 2});
    operations.push_back(
        {"cosine_similarity", "loss", rank2, Start::Own, [](Task &task) { emitCosine(task, false); }, {}, 2});
    operations.push_back({"cosine_loss", "loss", rank2, Start::Own, [](Task &task) { emitCosine(task, true); }, {}, 2});
    return operations;
}

} // namespace dice::corpus
