#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/sharedkernels.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

constexpr Kernel scores = {
    "attention_scores",
    R"(__global__ void attention_scores_kernel(const float* q, const float* k, float* out, int64_t n, int64_t T, int64_t S, int64_t D, double scale) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* a = q + i / S * D;
    const float* b = k + (i / S / T * S + i % S) * D;
    double s = 0.0;
    for (int64_t d = 0; d < D; ++d) s += a[d] * b[d];
    out[i] = s * scale;
}

torch::Tensor attention_scores_cuda(torch::Tensor q, torch::Tensor k, double scale) {
    q = q.contiguous();
    k = k.contiguous();
    int64_t T = q.size(-2), S = k.size(-2), D = q.size(-1);
    std::vector<int64_t> shape;
    for (int64_t i = 0; i < q.dim() - 1; ++i) shape.push_back(q.size(i));
    shape.push_back(S);
    auto out = torch::empty(shape, q.options());
    int64_t n = out.numel();
    attention_scores_kernel<<<(n + 255) / 256, 256>>>(q.data_ptr<float>(), k.data_ptr<float>(), out.data_ptr<float>(), n, T, S, D, scale);
    return out;
}
)"};

constexpr Kernel causalMask = {
    "causal_mask", R"(__global__ void causal_mask_kernel(const float* x, float* out, int64_t n, int64_t T, int64_t S) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = i % S > i / S % T ? -INFINITY : x[i];
}

torch::Tensor causal_mask_cuda(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t n = x.numel();
    causal_mask_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.size(-2), x.size(-1));
    return out;
}
)"};

struct Heads
{
    Shape shape;
    std::string q, k, v;
};

Heads beginHeads(Task &task)
{
    Rng &rng = task.rng();
    const Dim batch = task.newDim("batch_size|batch|b;B|N", task.pickSize("1|2|3|4", "4|8|16|32"));
    const Dim heads = task.newDim("num_heads|heads|n_heads|h;H|HEADS|NH", task.pickSize("2|3|4", "4|8|12|16|32"));
    const Dim length = task.newDim("seq_len|sequence_length|seq_length|t;T|L|S|SEQ",
                                   task.pickSize("8|12|16|20|24|32", "128|256|512|1024"));
    const Dim width
        = task.newDim("head_dim|embedding_dimension|d_k|dim|d;D|E|HD", task.pickSize("8|12|16|24|32", "32|64|128"));
    Heads made;
    made.shape = rng.chance(75) ? Shape{batch, heads, length, width} : Shape{batch, length, width};
    const bool isLong = rng.chance(40), isUpper = rng.chance(25);
    const std::string fill = rng.chance(75) ? "torch.randn({})" : "torch.rand({})";
    task.begin(isUpper ? "Q" : isLong ? "query" : "q", made.shape, fill);
    made.q = task.current().text;
    made.k = task.addInput(isUpper ? "K" : isLong ? "key" : "k", made.shape, fill).text;
    made.v = task.addInput(isUpper ? "V" : isLong ? "value" : "v", made.shape, fill).text;
    return made;
}

void emitFunctional(Task &task)
{
    Rng &rng = task.rng();
    const Heads heads = beginHeads(task);
    const bool isCausal = rng.chance(25);
    const std::string function = task.withFunctional("F.scaled_dot_product_attention(");
    const bool hasMask = !isCausal && rng.chance(25);
    std::string mask;
    if (hasMask)
        mask = task.addInput("mask|attn_mask|bias",
                             {heads.shape[heads.shape.size() - 2], heads.shape[heads.shape.size() - 2]})
                   .text;
    task.set(function + heads.q + ", " + heads.k + ", " + heads.v
                 + (isCausal      ? ", is_causal=True"
                        : hasMask ? ", attn_mask=" + mask
                                  : "")
                 + ")",
             Precedence::Atom, heads.shape);
    task.run(scores, heads.q + ", " + heads.k + ", " + heads.q + ".size(-1) ** -0.5");
    if (isCausal)
        task.apply(causalMask);
    if (hasMask)
        task.elementwise({"add_row", "v = v + @0;", {}, {{mask, Broadcast::Suffix}}});
    task.apply(softmaxKernel(), ", -1");
    task.apply(bmmKernel, ", " + heads.v);
}

// matmul, scale, mask, softmax, matmul, spelled out.
void emitByHand(Task &task)
{
    Rng &rng = task.rng();
    const Heads heads = beginHeads(task);
    const std::string view = rng.pick(".transpose(-2, -1)|.transpose(-1, -2)|.transpose(-2, -1)|.mT");
    std::string product
        = rng.chance(65) ? "torch.matmul(" + heads.q + ", " + heads.k + view + ")" : heads.q + " @ " + heads.k + view;
    std::string scaled
        = rng.pick("{p} * {q}.size(-1) ** (-0.5)|{p} / {q}.size(-1) ** 0.5|{p} / math.sqrt({q}.size(-1))|{p} * "
                   "{q}.shape[-1] ** (-0.5)|{p} / {q}.shape[-1] ** 0.5|{p} / math.sqrt({q}.shape[-1])");
    replaceAll(scaled, "{p}", product);
    replaceAll(scaled, "{q}", heads.q);
    Shape scoreShape = heads.shape;
    scoreShape.back() = heads.shape[heads.shape.size() - 2];
    task.set(scaled, Precedence::Term, scoreShape);
    task.run(scores, heads.q + ", " + heads.k + ", " + heads.q + ".size(-1) ** -0.5");
    const int maskKind = rng.below(5);
    if (maskKind <= 1) {
        const Dim length = scoreShape.back();
        const Shape maskShape = maskKind == 0 || rng.chance(60) ? Shape{length, length} : scoreShape;
        const std::string mask = task.addInput("mask|attn_mask|bias|m", maskShape).text;
        if (rng.chance(35))
            task.named();
        task.set(task.operand(Precedence::Arithmetic) + " + " + mask, Precedence::Arithmetic, scoreShape);
        task.elementwise({"add_row", "v = v + @0;", {}, {{mask, Broadcast::Suffix}}});
    }
    const auto nameSometimes = [&](std::string_view names) {
        if (!rng.chance(65))
            return;
        const std::string name = task.assignLocal(names, task.current().text);
        task.set(name, Precedence::Atom, task.shape());
    };
    nameSometimes("scores|s|attn|att|logits|weights|sim");
    std::string soft
        = rng.pick("torch.softmax({a}, dim=-1)|F.softmax({a}, dim=-1)|{x}.softmax(dim=-1)|torch.softmax({a}, dim=-1)");
    writeForm(task, soft, scoreShape);
    task.apply(softmaxKernel(), ", -1");
    nameSometimes("attn|weights|p|probs|attention");
    const bool isFunction = rng.chance(65);
    writeForm(task, isFunction ? "torch.matmul({a}, " + heads.v + ")" : "T:{x} @ " + heads.v, heads.shape);
    task.apply(bmmKernel, ", " + heads.v);
    task.current().isLarge = false;
}

constexpr Kernel rotaryPairs = {
    "rotary_pairs",
    R"(__global__ void rotary_pairs_kernel(const float* x, const float* freq, float* out, int64_t n, int64_t T, int64_t D) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t k = i % (D / 2), t = i / (D / 2) % T;
    float angle = t * freq[k], c = cosf(angle), s = sinf(angle), e = x[2 * i], o = x[2 * i + 1];
    out[2 * i] = e * c - o * s;
    out[2 * i + 1] = e * s + o * c;
}

torch::Tensor rotary_pairs_cuda(torch::Tensor x, torch::Tensor freq) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t n = x.numel() / 2;
    rotary_pairs_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), freq.data_ptr<float>(), out.data_ptr<float>(), n, x.size(-2), x.size(-1));
    return out;
}
)"};

constexpr Kernel rotaryHalves = {
    "rotary_halves",
    R"(__global__ void rotary_halves_kernel(const float* x, const float* freq, float* out, int64_t n, int64_t T, int64_t D) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t k = i % (D / 2), t = i / (D / 2) % T, a = i / (D / 2) * D + k, b = a + D / 2;
    float angle = t * freq[k], c = cosf(angle), s = sinf(angle);
    out[a] = x[a] * c - x[b] * s;
    out[b] = x[a] * s + x[b] * c;
}

torch::Tensor rotary_halves_cuda(torch::Tensor x, torch::Tensor freq) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t n = x.numel() / 2;
    rotary_halves_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), freq.data_ptr<float>(), out.data_ptr<float>(), n, x.size(-2), x.size(-1));
    return out;
}
)"};

// Rotates pairs of features by angles that grow with the position.
void emitRotary(Task &task)
{
    Rng &rng = task.rng();
    const Dim batch = task.newDim("batch_size|batch|b;B|N", task.pickSize("1|2|3|4", "4|8|16|32"));
    const Dim length
        = task.newDim("seq_len|seq_length|tokens|t;T|L|S", task.pickSize("8|12|16|20|24|32", "128|256|512|1024"));
    Dim width = task.newDim("dim|head_dim|d_model|width;D|E", task.pickSize("8|12|16|24|32|64", "32|64|128|256"));
    Shape shape{batch, length, width};
    const bool hasHeads = rng.chance(25);
    if (hasHeads)
        shape = {batch, task.newDim("num_heads|heads;H", task.pickSize("2|3|4", "8|12|16")), length, width};
    task.begin("x|x|q|inp|t", shape);
    const std::string x = task.current().text;
    const std::string size = task.sizeArgument(task.current().shape.back(), "dim|width|head_dim|d_model");
    const std::string base
        = rng.chance(80) ? rng.pick("10000.0|10000|100.0|1000.0|500000.0") : task.hyper("base|theta", "10000.0");
    std::string line = rng.pick("1.0 / {b} ** (torch.arange(0, {s}, 2).float() / {s})|1.0 / {b} ** (torch.arange(0, "
                                "{s}, 2).float() / {s})|{b} ** (-torch.arange(0, {s}, 2).float() / {s})");
    replaceAll(line, "{b}", base);
    replaceAll(line, "{s}", size);
    const std::string freq = task.buffer("freq|inv_freq|freqs|theta", line);
    const std::string sizeText
        = hasHeads ? rng.pick(".size(-2)|.shape[-2]|.size(2)") : rng.pick(".size(1)|.shape[1]|.size(1)|.size(-2)");
    const std::string pos = task.assignLocal("pos|positions|t|position|steps",
                                             "torch.arange(" + x + sizeText + ", device=" + x + ".device"
                                                 + (rng.chance(70) ? ", dtype=" + x + ".dtype)" : ").float()"));
    std::string product
        = rng.pick("{p}.unsqueeze(1) * {f}|{p}[:, None] * {f}|torch.outer({p}, {f})|{p}.unsqueeze(-1) * {f}");
    replaceAll(product, "{p}", pos);
    replaceAll(product, "{f}", freq);
    const std::string angle = task.assignLocal("angle|angles|theta|phase", product);
    const bool isPairs = rng.chance(70);
    const Task::PairStyle pairStyle = rng.chance(50) ? Task::PairStyle::OneLine : Task::PairStyle::TwoLines;
    const std::string evens
        = !isPairs ? x + "[..., :" + x + ".size(-1) // 2]" : x + (rng.chance(75) ? "[..., 0::2]" : "[..., ::2]");
    const std::string odds = isPairs ? x + "[..., 1::2]" : x + "[..., " + x + ".size(-1) // 2:]";
    const auto [even, odd]
        = task.assignPair({"even|x1|a|first|real", evens}, {"odd|x2|b|second|imag", odds}, pairStyle);
    const auto [cosine, sine] = task.assignPair({"c|cos|cosine", "torch.cos(" + angle + ")"},
                                                {"s|sin|sine", "torch.sin(" + angle + ")"}, pairStyle);
    const std::string first = even + " * " + cosine + " - " + odd + " * " + sine;
    const std::string second = even + " * " + sine + " + " + odd + " * " + cosine;
    const bool isTuple = rng.chance(50);
    const std::string list = isTuple ? "(" + first + ", " + second + ")" : "[" + first + ", " + second + "]";
    std::string tail
        = rng.pick(".flatten(-2)|.flatten(-2)|.reshape({x}.shape)|.reshape_as({x})|.view_as({x})|.flatten(-2, -1)");
    replaceAll(tail, "{x}", x);
    task.set(isPairs ? "torch.stack(" + list + ", dim=-1)" + tail : "torch.cat(" + list + ", dim=-1)", Precedence::Atom,
             shape);
    task.run(isPairs ? rotaryPairs : rotaryHalves, x + ", " + freq);
}

} // namespace

std::vector<Operation> attentionOperations()
{
    using Start = Operation::Start;
    return {
        {"attention", "attention", rank4, Start::Own, emitFunctional, {}, 3},
        {"attention_by_hand", "attention", rank4, Start::Own, emitByHand, {}, 8},
        {"rotary", "attention", rank3, Start::Own, emitRotary, {}, 4},
    };
}

} // namespace dice::corpus
