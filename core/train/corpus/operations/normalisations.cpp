// Normalisation layers. One block a group of values; two passes, sums in double.
#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

constexpr Kernel layerNorm = {
    "layer_norm",
    R"(__global__ void layer_norm_kernel(const float* x, const float* w, const float* b, float* out, int64_t d, double eps) {
    int64_t base = blockIdx.x * d;
    double s = 0.0, q = 0.0;
    for (int64_t k = threadIdx.x; k < d; k += 256) s += x[base + k];
    double mean = block_sum(s) / d;
    for (int64_t k = threadIdx.x; k < d; k += 256) q += (x[base + k] - mean) * (x[base + k] - mean);
    double scale = 1.0 / sqrt(block_sum(q) / d + eps);
    for (int64_t k = threadIdx.x; k < d; k += 256) out[base + k] = (x[base + k] - mean) * scale * w[k] + b[k];
}

torch::Tensor layer_norm_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor b, double eps) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t d = w.numel();
    layer_norm_kernel<<<x.numel() / d, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), d, eps);
    return out;
}
)",
    true};

constexpr Kernel rmsNorm = {
    "rms_norm", R"(__global__ void rms_norm_kernel(const float* x, const float* w, float* out, int64_t d, double eps) {
    int64_t base = blockIdx.x * d;
    double s = 0.0;
    for (int64_t k = threadIdx.x; k < d; k += 256) s += (double)x[base + k] * x[base + k];
    double scale = 1.0 / sqrt(block_sum(s) / d + eps);
    for (int64_t k = threadIdx.x; k < d; k += 256) out[base + k] = x[base + k] * scale * w[k];
}

torch::Tensor rms_norm_cuda(torch::Tensor x, torch::Tensor w, double eps) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t d = w.numel();
    rms_norm_kernel<<<x.numel() / d, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), out.data_ptr<float>(), d, eps);
    return out;
}
)",
    true};

constexpr Kernel groupNorm = {
    "group_norm",
    R"(__global__ void group_norm_kernel(const float* x, const float* w, const float* b, float* out, int64_t d, int64_t inner, int64_t groups, double eps) {
    int64_t base = blockIdx.x * d;
    int64_t c = blockIdx.x % groups * (d / inner);
    double s = 0.0, q = 0.0;
    for (int64_t k = threadIdx.x; k < d; k += 256) s += x[base + k];
    double mean = block_sum(s) / d;
    for (int64_t k = threadIdx.x; k < d; k += 256) q += (x[base + k] - mean) * (x[base + k] - mean);
    double scale = 1.0 / sqrt(block_sum(q) / d + eps);
    for (int64_t k = threadIdx.x; k < d; k += 256)
        out[base + k] = (x[base + k] - mean) * scale * w[c + k / inner] + b[c + k / inner];
}

torch::Tensor group_norm_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor b, int64_t groups, double eps) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t inner = x.numel() / x.size(0) / x.size(1);
    int64_t d = x.size(1) / groups * inner;
    group_norm_kernel<<<x.size(0) * groups, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), d, inner, groups, eps);
    return out;
}
)",
    true};

constexpr Kernel instanceNorm = {
    "instance_norm",
    R"(__global__ void instance_norm_kernel(const float* x, const float* w, const float* b, float* out, int64_t d, int64_t c, double eps) {
    int64_t base = blockIdx.x * d;
    float g = w ? w[blockIdx.x % c] : 1.0f, h = b ? b[blockIdx.x % c] : 0.0f;
    double s = 0.0, q = 0.0;
    for (int64_t k = threadIdx.x; k < d; k += 256) s += x[base + k];
    double mean = block_sum(s) / d;
    for (int64_t k = threadIdx.x; k < d; k += 256) q += (x[base + k] - mean) * (x[base + k] - mean);
    double scale = 1.0 / sqrt(block_sum(q) / d + eps);
    for (int64_t k = threadIdx.x; k < d; k += 256) out[base + k] = (x[base + k] - mean) * scale * g + h;
}

torch::Tensor instance_norm_cuda(torch::Tensor x, c10::optional<torch::Tensor> w, c10::optional<torch::Tensor> b, double eps) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t c = x.size(1), rows = x.size(0) * c;
    instance_norm_kernel<<<rows, 256>>>(x.data_ptr<float>(), w ? w->data_ptr<float>() : nullptr, b ? b->data_ptr<float>() : nullptr, out.data_ptr<float>(), x.numel() / rows, c, eps);
    return out;
}
)",
    true};

constexpr Kernel batchNorm = {
    "batch_norm",
    R"(__global__ void batch_norm_kernel(const float* x, const float* w, const float* b, const float* rm, const float* rv, float* out, int64_t d, int64_t c, int64_t inner, bool training, double eps) {
    double s = 0.0, q = 0.0, mean = rm[blockIdx.x], var = rv[blockIdx.x];
    if (training) {
        for (int64_t k = threadIdx.x; k < d; k += 256) s += x[(k / inner * c + blockIdx.x) * inner + k % inner];
        mean = block_sum(s) / d;
        for (int64_t k = threadIdx.x; k < d; k += 256) {
            double v = x[(k / inner * c + blockIdx.x) * inner + k % inner] - mean;
            q += v * v;
        }
        var = block_sum(q) / d;
    }
    double scale = w[blockIdx.x] / sqrt(var + eps);
    for (int64_t k = threadIdx.x; k < d; k += 256) {
        int64_t i = (k / inner * c + blockIdx.x) * inner + k % inner;
        out[i] = (x[i] - mean) * scale + b[blockIdx.x];
    }
}

torch::Tensor batch_norm_cuda(torch::Tensor x, torch::Tensor w, torch::Tensor b, torch::Tensor rm, torch::Tensor rv, bool training, double eps) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    int64_t c = x.size(1), d = x.numel() / c;
    batch_norm_kernel<<<c, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), b.data_ptr<float>(), rm.data_ptr<float>(), rv.data_ptr<float>(), out.data_ptr<float>(), d, c, d / x.size(0), training, eps);
    return out;
}
)",
    true};

constexpr std::string_view channelNames = "num_features|features|channels|out_channels|num_channels|c";
constexpr std::string_view normNames = "norm|bn|norm|norm1|normalize|layer_norm|ln|gn";

// ", eps=1e-05" or nothing; the answer always reads the attribute.
std::string epsText(Task &task)
{
    if (!task.rng().chance(30))
        return {};
    return ", eps=" + task.hyper("eps|epsilon", task.rng().pick("1e-05|1e-06|0.001|1e-08|1e-05"));
}

void emitLayerNormOf(Task &task, const std::string &shape)
{
    const std::string name = task.rng().chance(25) ? "normalized_shape=" : "";
    const std::string attribute = writeForm(task, "nn.LayerNorm(" + name + shape + epsText(task) + ")", task.shape(),
                                            "norm|ln|layer_norm|norm1|layernorm|normalize");
    task.apply(layerNorm, ", " + attribute + ".weight, " + attribute + ".bias, " + attribute + ".eps");
    task.current().isLarge = false;
}

void emitLayerNorm(Task &task)
{
    Rng &rng = task.rng();
    const size_t last = size_t(task.rank()) - 1;
    bool isWhole = task.rank() >= 3 && rng.chance(task.rank() == 3 ? 20 : 75);
    for (size_t k = 1; k <= last; ++k)
        isWhole = isWhole && task.shape()[k].symbol >= 0;
    std::string shape;
    if (isWhole) {
        std::string text;
        if (rng.chance(35)) {
            std::string value;
            for (size_t k = 1; k <= last; ++k)
                value += (value.empty() ? "(${" : ", ${") + std::to_string(task.shape()[k].symbol) + "}";
            return emitLayerNormOf(
                task, task.requiredArgument("normalized_shape|normalized_shape|shape|features_shape", value + ")"));
        }
        for (size_t k = 1; k <= last; ++k)
            text += (text.empty() ? "" : ", ")
                + task.sizeArgument(task.current().shape[k],
                                    k == 1 ? "features|channels|num_features|dim1" : "dim1|dim2|height|size|width");
        const bool isPlural = rng.chance(85);
        shape = isPlural ? "(" + text + ")" : "[" + text + "]";
    } else {
        shape = task.sizeArgument(task.current().shape[last],
                                  "normalized_shape|dim|hidden_size|features|embed_dim|d_model|width");
        if (rng.chance(15))
            shape = rng.chance(50) ? "(" + shape + ",)" : "[" + shape + "]";
    }
    emitLayerNormOf(task, shape);
}

void emitRmsNorm(Task &task)
{
    Rng &rng = task.rng();
    const std::string size = task.sizeArgument(task.current().shape[size_t(task.rank()) - 1],
                                               "dim|hidden_size|width|d_model|features|num_features");
    if (rng.chance(30)) {
        const std::string eps = task.hyper("eps", rng.pick("1e-05|1e-06|1e-08"));
        const std::string attribute
            = writeForm(task, "nn.RMSNorm(" + size + ", eps=" + eps + ")", task.shape(), "norm|rms|rms_norm|rmsnorm");
        task.apply(rmsNorm, ", " + attribute + ".weight, " + attribute + ".eps");
        return;
    }
    std::string fill = rng.pick("torch.ones({})|torch.ones({})|torch.rand({}) + 0.5|torch.randn({})");
    replaceAll(fill, "{}", size);
    const std::string gain = task.attribute("weight|gain|scale|gamma|g", "nn.Parameter(" + fill + ")");
    std::string eps = rng.pick("1e-05|1e-06|1e-08|1e-05");
    eps = rng.chance(75) ? task.attribute("eps|epsilon|variance_epsilon", task.hyper("eps|epsilon", eps)) : eps;
    const std::string forms[] = {
        "T:{x} * torch.rsqrt({a}.pow(2).mean(dim=-1, keepdim=True) + {0}) * {w}",
        "T:{x} * torch.rsqrt({a}.pow(2).mean(-1, keepdim=True) + {0}) * {w}",
        "T:{w} * ({a} * torch.rsqrt({a}.pow(2).mean(-1, keepdim=True) + {0}))",
        "T:{x} / torch.sqrt(torch.mean({a} ** 2, dim=-1, keepdim=True) + {0}) * {w}",
        "T:{w} * {a} / torch.sqrt({a}.pow(2).mean(dim=-1, keepdim=True) + {0})",
        "F.rms_norm({a}, ({n},), weight={w}, eps={0})",
    };
    std::string form = forms[rng.below(rng.chance(10) ? 6 : 5)];
    replaceAll(form, "{0}", eps);
    replaceAll(form, "{w}", gain);
    replaceAll(form, "({n},)", gain + ".shape");
    if (rng.chance(20)) {
        const std::string x = task.named();
        const std::string variance
            = task.assignLocal("rms|variance|norm|var|ms", x + ".pow(2).mean(dim=-1, keepdim=True)");
        form = "T:" + x + " * torch.rsqrt(" + variance + " + " + eps + ") * " + gain;
    }
    writeForm(task, form, task.shape());
    task.apply(rmsNorm, ", " + gain + ", " + eps);
    task.current().isLarge = false;
}

void emitGroupNorm(Task &task)
{
    Rng &rng = task.rng();
    const int64_t channels = task.shape()[1].size;
    std::vector<int64_t> divisors;
    for (int64_t groups : {1, 2, 3, 4, 8, 16, 32})
        if (channels % groups == 0 && (groups > 1 || rng.chance(15)))
            divisors.push_back(groups);
    const int64_t groups = divisors.empty() ? 1 : divisors[size_t(rng.below(int(divisors.size())))];
    const std::string groupText = task.hyper("num_groups|groups|g|n_groups", std::to_string(groups));
    const std::string size = task.sizeArgument(task.current().shape[1], channelNames);
    const bool isNamed = rng.chance(20);
    const std::string form = isNamed
        ? "nn.GroupNorm(num_groups=" + groupText + ", num_channels=" + size + epsText(task) + ")"
        : "nn.GroupNorm(" + groupText + ", " + size + epsText(task) + ")";
    const std::string a = writeForm(task, form, task.shape(), "norm|gn|group_norm|norm1|groupnorm");
    task.apply(groupNorm, ", " + a + ".weight, " + a + ".bias, " + a + ".num_groups, " + a + ".eps");
    task.current().isLarge = false;
}

void emitInstanceNorm(Task &task)
{
    Rng &rng = task.rng();
    const std::string dims = std::to_string(task.rank() - 2) + "d";
    const std::string size = task.sizeArgument(task.current().shape[1], channelNames);
    std::string arguments = epsText(task);
    if (rng.chance(20))
        arguments += ", affine=True";
    const std::string name = rng.chance(10) ? "num_features=" : "";
    const std::string a = writeForm(task, "nn.InstanceNorm" + dims + "(" + name + size + arguments + ")", task.shape(),
                                    "norm|inorm|instance_norm|inst_norm|in_norm");
    task.apply(instanceNorm, ", " + a + ".weight, " + a + ".bias, " + a + ".eps");
    task.current().isLarge = false;
}

void emitBatchNorm(Task &task)
{
    const int dims = task.rank() <= 3 ? 1 : task.rank() - 2;
    const std::string size = task.sizeArgument(task.current().shape[1], channelNames);
    std::string arguments = epsText(task);
    if (task.rng().chance(12))
        arguments += ", momentum=" + task.hyper("momentum", "0.1");
    const std::string name = task.rng().chance(10) ? "num_features=" : "";
    const std::string a = writeForm(task, "nn.BatchNorm" + std::to_string(dims) + "d(" + name + size + arguments + ")",
                                    task.shape(), "bn|norm|batch_norm|bn1|batchnorm");
    task.apply(batchNorm,
               ", " + a + ".weight, " + a + ".bias, " + a + ".running_mean, " + a + ".running_var, " + a + ".training, "
                   + a + ".eps");
    task.current().isLarge = false;
}

bool hasChannelSymbol(const Task &task)
{
    return task.shape()[1].symbol >= 0;
}

bool hasLastSymbol(const Task &task)
{
    return task.shape().back().symbol >= 0 && task.shape().back().size > 1;
}

// Statistics over one value per channel are undefined.
bool hasPixels(const Task &task)
{
    int64_t pixels = 1;
    for (size_t k = 2; k < task.shape().size(); ++k)
        pixels *= task.shape()[k].size;
    return hasChannelSymbol(task) && pixels > 1;
}

bool hasBatchStatistics(const Task &task)
{
    int64_t count = 1;
    for (size_t k = 0; k < task.shape().size(); ++k)
        count *= k == 1 ? 1 : task.shape()[k].size;
    return hasChannelSymbol(task) && count > 1;
}

} // namespace

std::vector<Operation> normalisationOperations()
{
    using Start = Operation::Start;
    return {
        {"layer_norm", "normalisation", rank2 | rank3 | rank4, Start::Tensor, emitLayerNorm, hasLastSymbol, 14},
        {"rms_norm", "normalisation", rank2 | rank3, Start::Tensor, emitRmsNorm, hasLastSymbol, 10},
        {"group_norm", "normalisation", rank2 | rank3 | rank4 | rank5, Start::Channels, emitGroupNorm, hasChannelSymbol,
         14},
        {"instance_norm", "normalisation", rank3 | rank4 | rank5, Start::Channels, emitInstanceNorm, hasPixels, 10},
        {"batch_norm", "normalisation", rank2 | rank3 | rank4 | rank5, Start::Channels, emitBatchNorm,
         hasBatchStatistics, 16},
    };
}

} // namespace dice::corpus
