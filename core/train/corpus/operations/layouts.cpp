// Operations that move or select values, and blocks with a residual connection.
#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/sharedkernels.h"
#include "core/train/corpus/text.h"

#include <array>

namespace dice::corpus {

namespace {

void emitTranspose(Task &task)
{
    Rng &rng = task.rng();
    Shape shape = task.shape();
    std::string view;
    if (task.rank() == 2) {
        view = rng.pick(".t()|.T|.transpose(0, 1)|.permute(1, 0)");
        std::swap(shape[0], shape[1]);
    } else if (task.rank() == 4 && rng.chance(60)) {
        const bool isLast = rng.chance(50);
        view = isLast ? ".permute(0, 2, 3, 1)" : ".permute(0, 3, 1, 2)";
        const Shape old = shape;
        shape = isLast ? Shape{old[0], old[2], old[3], old[1]} : Shape{old[0], old[3], old[1], old[2]};
    } else {
        const bool isLast = task.rank() == 3 || rng.chance(50);
        const size_t first = isLast ? shape.size() - 2 : 1, second = isLast ? shape.size() - 1 : 2;
        view = isLast && rng.chance(50) ? ".transpose(-1, -2)"
                                        : ".transpose(" + std::to_string(first) + ", " + std::to_string(second) + ")";
        std::swap(shape[first], shape[second]);
    }
    const bool isLarge = task.current().isLarge;
    const std::string text = task.operand(Precedence::Atom) + view;
    task.set(text + (rng.chance(70) ? ".contiguous()" : ""), Precedence::Atom, shape);
    task.current().isLarge = isLarge;
    task.run(copyKernel, task.variable() + view);
}

void emitFlatten(Task &task)
{
    Rng &rng = task.rng();
    int64_t size = 1;
    for (size_t k = 1; k < task.shape().size(); ++k)
        size *= task.shape()[k].size;
    std::string form
        = rng.pick("torch.flatten({a}, 1)|torch.flatten({a}, start_dim=1)|{x}.flatten(1)|{x}.view({x}.size(0), "
                   "-1)|{x}.reshape({x}.shape[0], -1)|nn.Flatten()|{x}.view({x}.shape[0], -1)");
    const bool wasPositive = task.current().isPositive;
    writeForm(task, form, {task.shape()[0], {size, -1}}, "flatten|flat");
    // A view of an input would be the caller's own memory.
    if (!task.current().isComputed)
        task.run(copyKernel, task.variable());
    task.view(".flatten(1)");
    task.current().isPositive = wasPositive;
}

constexpr Kernel cat = {
    "cat",
    R"(__global__ void cat_kernel(const float* a, const float* b, float* out, int64_t n, int64_t A, int64_t B, int64_t inner) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t o = i / inner / (A + B), k = i / inner % (A + B), r = i % inner;
    out[i] = k < A ? a[(o * A + k) * inner + r] : b[(o * B + k - A) * inner + r];
}

torch::Tensor cat_cuda(torch::Tensor a, torch::Tensor b, int64_t dim) {
    a = a.contiguous();
    b = b.contiguous();
    if (dim < 0) dim += a.dim();
    std::vector<int64_t> shape;
    for (int64_t k = 0; k < a.dim(); ++k) shape.push_back(a.size(k) + (k == dim ? b.size(k) : 0));
    auto out = torch::empty(shape, a.options());
    int64_t n = out.numel();
    cat_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, a.size(dim), b.size(dim), a.stride(dim));
    return out;
}
)"};

constexpr Kernel stack
    = {"stack", R"(__global__ void stack_kernel(const float* a, const float* b, float* out, int64_t n, int64_t inner) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t k = i / inner / 2 * inner + i % inner;
    out[i] = i / inner % 2 ? b[k] : a[k];
}

torch::Tensor stack_cuda(torch::Tensor a, torch::Tensor b, int64_t dim) {
    a = a.contiguous();
    b = b.contiguous();
    if (dim < 0) dim += a.dim() + 1;
    std::vector<int64_t> shape;
    int64_t inner = 1;
    for (int64_t k = 0; k < a.dim(); ++k) {
        if (k == dim) shape.push_back(2);
        if (k >= dim) inner *= a.size(k);
        shape.push_back(a.size(k));
    }
    if (dim == a.dim()) shape.push_back(2);
    auto out = torch::empty(shape, a.options());
    int64_t n = out.numel();
    stack_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, inner);
    return out;
}
)"};

bool hasOnlySymbols(const Task &task)
{
    for (const Dim &dim : task.shape())
        if (dim.symbol < 0)
            return false;
    return true;
}

void emitJoin(Task &task, bool isStack)
{
    Rng &rng = task.rng();
    const std::string other = task.addInput("y|b|B|other|right|second", task.shape()).text;
    const int rank = task.rank();
    const std::string dim = rng.chance(25) ? "-1" : std::to_string(rng.below(isStack ? rank + 1 : rank));
    std::string form = std::string(isStack ? "torch.stack" : "torch.cat")
        + (rng.chance(50) ? "([{a}, {b}], dim={d})" : "(({a}, {b}), dim={d})");
    replaceAll(form, "{b}", other);
    replaceAll(form, "{d}", dim);
    Shape shape = task.shape();
    const int64_t index = dimIndex(dim, isStack ? rank + 1 : rank);
    if (isStack)
        shape.insert(shape.begin() + index, Dim{2, -1});
    else
        shape[size_t(index)] = {shape[size_t(index)].size * 2, -1};
    writeForm(task, form, shape);
    task.apply(isStack ? stack : cat, ", " + other + ", " + dim);
}

constexpr Kernel embedding
    = {"embedding",
       R"(__global__ void embedding_kernel(const int64_t* t, const float* w, float* out, int64_t n, int64_t D) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = w[t[i / D] * D + i % D];
}

torch::Tensor embedding_cuda(torch::Tensor t, torch::Tensor w) {
    t = t.contiguous();
    std::vector<int64_t> shape;
    for (int64_t k = 0; k < t.dim(); ++k) shape.push_back(t.size(k));
    shape.push_back(w.size(1));
    auto out = torch::empty(shape, w.options());
    int64_t n = out.numel();
    embedding_kernel<<<(n + 255) / 256, 256>>>(t.data_ptr<int64_t>(), w.data_ptr<float>(), out.data_ptr<float>(), n, w.size(1));
    return out;
}
)"};

void emitEmbedding(Task &task)
{
    const Dim batch = task.newDim("batch_size|batch|b;B|N|BATCH", task.pickSize("2|3|4|8", "8|16|32|64"));
    const Dim length
        = task.newDim("seq_len|length|seq_length|tokens;T|L|S", task.pickSize("5|8|12|16|20", "64|128|256|512"));
    const Dim count = task.newSizeArgument("num_embeddings|vocab_size|vocab|n_vocab|num_tokens;V|VOCAB",
                                           task.pickSize("20|30|50|100", "1000|5000|10000|30522|32000"));
    const Dim width = task.newSizeArgument("embedding_dim|embed_dim|d_model|dim|width;D|E",
                                           task.pickSize("8|16|24|32", "64|128|256|512"));
    task.begin("x|tokens|ids|indices|input_ids|idx", {batch, length},
               "torch.randint(0, ${" + std::to_string(count.symbol) + "}, ({}))");
    const std::string a = writeForm(task,
                                    "nn.Embedding(" + task.symbols()[size_t(count.symbol)].argument + ", "
                                        + task.symbols()[size_t(width.symbol)].argument + ")",
                                    {batch, length, width}, "embedding|embed|emb|token_embedding");
    task.apply(embedding, ", " + a + ".weight");
}

constexpr Kernel upsample = {
    "upsample_nearest",
    R"(__global__ void upsample_nearest_kernel(const float* x, float* out, int64_t n, int64_t H, int64_t W, int64_t f) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t w = i % (W * f), h = i / (W * f) % (H * f);
    out[i] = x[(i / (W * f) / (H * f) * H + h / f) * W + w / f];
}

torch::Tensor upsample_nearest_cuda(torch::Tensor x, int64_t f) {
    x = x.contiguous();
    int64_t H = x.size(2), W = x.size(3);
    auto out = torch::empty({x.size(0), x.size(1), H * f, W * f}, x.options());
    int64_t n = out.numel();
    upsample_nearest_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, H, W, f);
    return out;
}
)"};

void emitUpsample(Task &task)
{
    Rng &rng = task.rng();
    const std::string factor = rng.pick("2|2|3|4");
    std::string form
        = rng.pick("F.interpolate({a}, scale_factor={0})|nn.Upsample(scale_factor={0})|nn.Upsample(scale_factor={0}, "
                   "mode='nearest')|F.interpolate({a}, scale_factor={0}, "
                   "mode='nearest')|nn.UpsamplingNearest2d(scale_factor={0})");
    replaceAll(form, "{0}", factor);
    Shape shape = task.shape();
    for (size_t k = 2; k < 4; ++k)
        shape[k] = {shape[k].size * std::stoll(factor), -1};
    writeForm(task, form, shape, "upsample|up|upsampling");
    task.apply(upsample, ", " + factor);
}

constexpr Kernel pad = {
    "pad2d",
    R"(__global__ void pad2d_kernel(const float* x, float* out, int64_t n, int64_t H, int64_t W, int64_t P, int64_t Q, int64_t l, int64_t t, float v) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t w = i % Q - l, h = i / Q % P - t;
    out[i] = w >= 0 && w < W && h >= 0 && h < H ? x[(i / Q / P * H + h) * W + w] : v;
}

torch::Tensor pad2d_cuda(torch::Tensor x, int64_t l, int64_t r, int64_t t, int64_t b, double v) {
    x = x.contiguous();
    int64_t H = x.size(2), W = x.size(3), P = H + t + b, Q = W + l + r;
    auto out = torch::empty({x.size(0), x.size(1), P, Q}, x.options());
    int64_t n = out.numel();
    pad2d_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, H, W, P, Q, l, t, v);
    return out;
}
)"};

void emitPad(Task &task)
{
    Rng &rng = task.rng();
    std::array<int, 4> amounts{};
    const int same = rng.between(1, 3);
    for (int &amount : amounts)
        amount = rng.chance(60) ? same : rng.between(0, 3);
    std::string list;
    for (int amount : amounts)
        list += (list.empty() ? "" : ", ") + std::to_string(amount);
    const std::string value = rng.chance(60) ? "0.0" : rng.pick("1.0|0.5|-1.0");
    std::string form = "F.pad({a}, (" + list + ")"
        + (value == "0.0"       ? ""
               : rng.chance(50) ? ", value=" + value
                                : ", mode='constant', value=" + value)
        + ")";
    if (rng.chance(25))
        form = value == "0.0" ? "nn.ZeroPad2d((" + list + "))" : "nn.ConstantPad2d((" + list + "), " + value + ")";
    Shape shape = task.shape();
    shape[2] = {shape[2].size + amounts[2] + amounts[3], -1};
    shape[3] = {shape[3].size + amounts[0] + amounts[1], -1};
    writeForm(task, form, shape, "pad|padding");
    task.apply(pad, ", " + list + ", " + value);
}

constexpr Kernel glu
    = {"glu", R"(__global__ void glu_kernel(const float* x, float* out, int64_t n, int64_t d, int64_t inner) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    int64_t k = i / (d * inner) * 2 * d * inner + i % (d * inner);
    out[i] = x[k] / (1.0f + expf(-x[k + d * inner]));
}

torch::Tensor glu_cuda(torch::Tensor x, int64_t dim) {
    x = x.contiguous();
    if (dim < 0) dim += x.dim();
    std::vector<int64_t> shape;
    for (int64_t k = 0; k < x.dim(); ++k) shape.push_back(k == dim ? x.size(k) / 2 : x.size(k));
    auto out = torch::empty(shape, x.options());
    int64_t n = out.numel();
    glu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n, x.size(dim) / 2, x.stride(dim));
    return out;
}
)"};

void emitGlu(Task &task)
{
    Rng &rng = task.rng();
    const bool isLast = task.shape().back().size % 2 == 0 && rng.chance(60);
    const size_t index = isLast ? task.shape().size() - 1 : 1;
    const std::string dim = isLast ? "-1" : "1";
    Shape shape = task.shape();
    shape[index] = {shape[index].size / 2, -1};
    std::string form = rng.pick("F.glu({a}, dim={d})|nn.GLU(dim={d})|F.glu({a}, {d})");
    replaceAll(form, "{d}", dim);
    writeForm(task, form, shape, "glu|act|gate");
    task.apply(glu, ", " + dim);
}

bool canHalve(const Task &task)
{
    return task.shape()[1].size % 2 == 0 && task.shape()[1].size > 1;
}

} // namespace

std::vector<Operation> layoutOperations()
{
    using Start = Operation::Start;
    return {
        {"transpose", "layout", rank2 | rank3 | rank4, Start::Tensor, emitTranspose, {}, 4},
        {"flatten", "layout", rank3 | rank4 | rank5, Start::Channels, emitFlatten, {}, 8},
        {"cat", "layout", rank2 | rank3 | rank4, Start::Tensor, [](Task &task) { emitJoin(task, false); },
         hasOnlySymbols, 3},
        {"stack", "layout", rank1 | rank2 | rank3, Start::Tensor, [](Task &task) { emitJoin(task, true); },
         hasOnlySymbols, 2},
        {"embedding", "indexing", rank2, Start::Own, emitEmbedding, {}, 3},
        {"upsample_nearest", "layout", rank4, Start::Channels, emitUpsample, {}, 3},
        {"pad2d", "layout", rank4, Start::Channels, emitPad, {}, 3},
        {"glu", "activation", rank2 | rank3 | rank4, Start::Channels, emitGlu, canHalve, 3},
    };
}

} // namespace dice::corpus
