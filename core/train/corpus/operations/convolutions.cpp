// Convolution layers as people construct them: few arguments or all of them, numbers or tuples, grouped, depthwise,
// pointwise, separable, transposed.
#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/convolutionkernels.h"
#include "core/train/corpus/operations/window.h"

#include <algorithm>
#include <array>

namespace dice::corpus {

namespace {

enum class Kind { Plain, Grouped, Depthwise, Pointwise };

// One number an axis; `isTuple` when they are written as a tuple.
struct PerAxis
{
    std::array<int64_t, 3> values{};
    bool isTuple = false;

    std::string text(int numDims) const
    {
        if (!isTuple)
            return std::to_string(values[0]);
        std::string joinedText;
        for (int k = 0; k < numDims; ++k)
            joinedText += (k == 0 ? "" : ", ") + std::to_string(values[size_t(k)]);
        return "(" + joinedText + (numDims == 1 ? ",)" : ")");
    }
};

struct Settings
{
    PerAxis kernel, stride, padding, outputPadding, dilation;
};

int numDims(const Task &task)
{
    return task.rank() - 2;
}

PerAxis drawAxis(Rng &rng, int dims, std::string_view values, int tuplePercent)
{
    PerAxis axis;
    axis.isTuple = dims > 1 && rng.chance(tuplePercent);
    const int64_t first = std::stoi(rng.pick(values));
    for (int64_t &value : axis.values)
        value = axis.isTuple ? std::stoi(rng.pick(values)) : first;
    return axis;
}

int64_t outputSize(int64_t size, const Settings &settings, size_t axis, bool isTransposed)
{
    const int64_t kernel = settings.kernel.values[axis], stride = settings.stride.values[axis];
    const int64_t padding = settings.padding.values[axis], dilation = settings.dilation.values[axis];
    if (!isTransposed)
        return windowPositions(size, kernel, stride, padding, dilation);
    return (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + settings.outputPadding.values[axis] + 1;
}

bool fits(const Task &task, const Settings &settings, bool isTransposed)
{
    for (size_t k = 0; k < size_t(numDims(task)); ++k) {
        const bool isPaddingUseful
            = settings.padding.values[k] <= settings.dilation.values[k] * (settings.kernel.values[k] - 1);
        const bool isExtraAllowed
            = settings.outputPadding.values[k] < std::max(settings.stride.values[k], settings.dilation.values[k]);
        if (!isPaddingUseful || !isExtraAllowed || outputSize(task.shape()[k + 2].size, settings, k, isTransposed) < 2)
            return false;
    }
    return true;
}

Settings drawSettings(Task &task, Kind kind, bool isTransposed)
{
    Rng &rng = task.rng();
    const int dims = numDims(task);
    const int tuples = rng.chance(25) ? 60 : 0;
    for (int tries = 0; tries < 60; ++tries) {
        Settings settings;
        settings.kernel = kind == Kind::Pointwise
            ? drawAxis(rng, dims, "1", 0)
            : drawAxis(rng, dims, dims == 3 ? "3|3|3|2|5" : "3|3|3|3|5|4|2|7|1", tuples);
        if (dims == 2 && kind != Kind::Pointwise && rng.chance(6)) { // one row or one column
            settings.kernel.isTuple = true;
            settings.kernel.values[size_t(rng.below(2))] = 1;
        }
        settings.stride = drawAxis(rng, dims, isTransposed ? "1|2|2|1|3" : "1|1|1|2|2|3", tuples / 2);
        settings.padding = drawAxis(rng, dims, "0|0|1|1|2|3", tuples / 2);
        settings.dilation = drawAxis(rng, dims, rng.chance(25) ? "1|2|2|3" : "1", tuples / 2);
        settings.outputPadding = drawAxis(rng, dims, isTransposed && rng.chance(45) ? "0|1|1" : "0", tuples / 2);
        if (fits(task, settings, isTransposed))
            return settings;
    }
    Settings settings;
    settings.kernel.values = settings.stride.values = settings.dilation.values = {1, 1, 1};
    return settings;
}

bool isDefault(const PerAxis &axis, int64_t value)
{
    return !axis.isTuple && axis.values[0] == value;
}

Shape outputShape(const Task &task, const Settings &settings, Dim out, bool isTransposed)
{
    Shape shape = task.shape();
    shape[1] = out;
    for (size_t k = 2; k < shape.size(); ++k) {
        const int64_t size = outputSize(shape[k].size, settings, k - 2, isTransposed);
        const bool isSame = size == shape[k].size && settings.stride.values[k - 2] == 1;
        shape[k] = {size, isSame ? shape[k].symbol : -1};
    }
    return shape;
}

struct Channels
{
    std::string in;
    std::string out;
    std::string groups; // empty: not given
    Dim outDim;
};

Channels drawChannels(Task &task, Kind kind)
{
    Rng &rng = task.rng();
    Channels channels;
    channels.in = task.sizeArgument(task.current().shape[1],
                                    "in_channels|in_channels|cin|c_in|in_ch|channels|in_planes;CIN|C|IC");
    const int64_t in = task.shape()[1].size;
    if (kind == Kind::Depthwise) {
        channels.out = channels.groups = channels.in;
        channels.outDim = task.shape()[1];
        return channels;
    }
    int64_t groups = 1;
    if (kind == Kind::Grouped) {
        for (int64_t candidate : {8, 4, 3, 2})
            if (in % candidate == 0 && (groups == 1 || rng.chance(50)))
                groups = candidate;
        channels.groups = groups > 1 ? task.hyper("groups|num_groups|g", std::to_string(groups), "1") : std::string();
    }
    if (rng.chance(8)) { // as many out as in
        channels.out = channels.in;
        channels.outDim = task.shape()[1];
        return channels;
    }
    int64_t out = task.pickSize("4|6|8|10|12|16|20|24|32", "8|16|24|32|48|64|96|128|256");
    out = (out + groups - 1) / groups * groups;
    channels.outDim
        = task.newSizeArgument("out_channels|out_channels|cout|c_out|out_ch|filters|out_planes;COUT|K|OC|CO", out);
    channels.out = task.symbols()[size_t(channels.outDim.symbol)].argument;
    return channels;
}

// ", name=value" where the value differs from torch's default or the signature spells everything out.
std::string optionalArgument(Task &task, std::string_view name, const std::string &literal, bool isStandard,
                             int spelledPercent)
{
    if (isStandard && !task.rng().chance(spelledPercent))
        return {};
    if (!isStandard && literal[0] == '(' && task.style().hasLongSignature
        && std::count(literal.begin(), literal.end(), ',') == 1 && literal[literal.size() - 2] != ','
        && task.rng().chance(50)) {
        // Two numbers, passed one by one.
        const size_t comma = literal.find(',');
        const std::string stem(name);
        const std::string high = task.hyper(stem + "_h", literal.substr(1, comma - 1));
        return ", " + stem + "=(" + high + ", "
            + task.hyper(stem + "_w", literal.substr(comma + 2, literal.size() - comma - 3)) + ")";
    }
    const std::string standard = name == "padding" || name == "output_padding" ? "0" : "1";
    return ", " + std::string(name) + "=" + task.hyper(name, literal, standard);
}

std::string kernelArgument(Task &task, const Settings &settings)
{
    Rng &rng = task.rng();
    const int dims = numDims(task);
    if (dims == 2 && settings.kernel.isTuple && rng.chance(45)) {
        const std::string high = settings.kernel.values[0] == 1
            ? "1"
            : task.hyper("kernel_size_h|kernel_h|kernel_size|kh", std::to_string(settings.kernel.values[0]), "3");
        const std::string wide = settings.kernel.values[1] == 1
            ? "1"
            : task.hyper("kernel_size_w|kernel_w|kernel_size|kw", std::to_string(settings.kernel.values[1]), "3");
        return (rng.chance(50) ? "kernel_size=(" : "(") + high + ", " + wide + ")";
    }
    const std::string literal = settings.kernel.text(dims);
    std::string text = task.hyper("kernel_size|kernel_size|kernel_size|k|ks|kernel", literal, "3");
    if (!settings.kernel.isTuple && dims > 1 && rng.chance(12)) {
        std::string tuple = text;
        for (int k = 1; k < dims; ++k)
            tuple += ", " + text;
        text = "(" + tuple + ")";
    }
    return (rng.chance(35) ? "kernel_size=" : "") + text;
}

std::string groupsArgument(Task &task, const Channels &channels, int spelledPercent)
{
    return channels.groups.empty() ? optionalArgument(task, "groups", "1", true, spelledPercent)
                                   : ", groups=" + channels.groups;
}

std::string biasArgument(Task &task, int spelledPercent)
{
    Rng &rng = task.rng();
    if (rng.chance(12))
        return ", bias=False";
    if (!rng.chance(spelledPercent))
        return {};
    return ", bias=" + task.hyper("bias|bias|use_bias", rng.pick("False|True|False"), "True");
}

std::string constructor(Task &task, const Channels &channels, const Settings &settings, bool isTransposed)
{
    Rng &rng = task.rng();
    const int dims = numDims(task);
    const int spelled = task.style().hasLongSignature ? 75 : 6;
    std::string text = std::string("nn.Conv") + (isTransposed ? "Transpose" : "") + std::to_string(dims) + "d(";
    // A keyword can only be followed by keywords.
    const bool isNamed = rng.chance(8);
    text += isNamed ? "in_channels=" + channels.in + ", out_channels=" + channels.out + ", "
                    : channels.in + ", " + channels.out + ", ";
    std::string kernel = kernelArgument(task, settings);
    if (isNamed && !kernel.starts_with("kernel_size="))
        kernel.insert(0, "kernel_size=");
    text += kernel;
    text += optionalArgument(task, "stride", settings.stride.text(dims), isDefault(settings.stride, 1), spelled);
    text += optionalArgument(task, "padding", settings.padding.text(dims), isDefault(settings.padding, 0), spelled);
    if (isTransposed)
        text += optionalArgument(task, "output_padding", settings.outputPadding.text(dims),
                                 isDefault(settings.outputPadding, 0), spelled);
    if (isTransposed && rng.chance(50)) { // torch's order: groups, bias, dilation; people write both
        text += groupsArgument(task, channels, spelled);
        text += biasArgument(task, spelled);
        return text
            + optionalArgument(task, "dilation", settings.dilation.text(dims), isDefault(settings.dilation, 1), spelled)
            + ")";
    }
    text += optionalArgument(task, "dilation", settings.dilation.text(dims), isDefault(settings.dilation, 1), spelled);
    text += groupsArgument(task, channels, spelled);
    return text + biasArgument(task, spelled) + ")";
}

void emitConvolution(Task &task, Kind kind, bool isTransposed)
{
    const Channels channels = drawChannels(task, kind);
    const Settings settings = drawSettings(task, kind, isTransposed);
    const Shape shape = outputShape(task, settings, channels.outDim, isTransposed);
    const int dims = numDims(task);
    const std::string suffix = std::to_string(dims) + "d";
    const std::string names = isTransposed
        ? "conv_transpose|up|deconv|conv|conv_transpose" + suffix + "|upconv|conv_t|conv" + suffix
        : kind == Kind::Depthwise ? "conv|depthwise|dw|conv|dwconv"
        : kind == Kind::Pointwise ? "conv|pointwise|proj|conv1x1|pw"
                                  : "conv|conv|conv1|layer|conv_layer|conv" + suffix;
    const std::string a = writeForm(task, constructor(task, channels, settings, isTransposed), shape, names);
    std::string call = ", " + a + ".weight, " + a + ".bias, " + a + ".stride, " + a + ".padding, ";
    call += isTransposed ? a + ".output_padding, " : "";
    task.apply(convolutionKernel(dims, isTransposed), call + a + ".dilation, " + a + ".groups");
    task.current().isLarge = false;
}

// Depthwise, then pointwise.
void emitSeparable(Task &task)
{
    emitConvolution(task, Kind::Depthwise, false);
    if (task.rng().chance(35))
        task.named();
    emitConvolution(task, Kind::Pointwise, false);
}

bool acceptsConvolution(const Task &task)
{
    for (size_t k = 2; k < task.shape().size(); ++k)
        if (task.shape()[k].size < 4)
            return false;
    return task.shape()[1].symbol >= 0;
}

bool acceptsTransposed(const Task &task)
{
    int64_t volume = 1;
    for (const Dim &dim : task.shape())
        volume *= dim.size;
    return acceptsConvolution(task) && volume < 500000000;
}

} // namespace

std::vector<Operation> convolutionOperations()
{
    struct Row
    {
        const char *name;
        Kind kind;
        int weights[3]; // 1, 2, 3 spatial axes
    };
    constexpr Row rows[] = {{"conv", Kind::Plain, {12, 60, 18}},
                            {"conv_grouped", Kind::Grouped, {3, 6, 2}},
                            {"conv_depthwise", Kind::Depthwise, {3, 8, 2}},
                            {"conv_pointwise", Kind::Pointwise, {3, 8, 2}}};
    constexpr int ranks[] = {rank3, rank4, rank5};
    std::vector<Operation> operations;
    for (int dims = 1; dims <= 3; ++dims) {
        const std::string suffix = std::to_string(dims) + "d";
        for (const Row &row : rows)
            operations.push_back({row.name + suffix, "convolution", ranks[dims - 1], Operation::Start::Channels,
                                  [kind = row.kind](Task &task) { emitConvolution(task, kind, false); },
                                  acceptsConvolution, row.weights[dims - 1]});
        if (dims < 3)
            operations.push_back({"conv_separable" + suffix, "convolution", ranks[dims - 1], Operation::Start::Channels,
                                  emitSeparable, acceptsConvolution, dims == 2 ? 5 : 1});
    }
    return operations;
}

std::vector<Operation> transposedConvolutionOperations()
{
    constexpr int ranks[] = {rank3, rank4, rank5};
    constexpr int weights[] = {8, 24, 14};
    std::vector<Operation> operations;
    for (int dims = 1; dims <= 3; ++dims) {
        const std::string suffix = std::to_string(dims) + "d";
        operations.push_back({"conv_transpose" + suffix, "transposed convolution", ranks[dims - 1],
                              Operation::Start::Channels, [](Task &task) { emitConvolution(task, Kind::Plain, true); },
                              acceptsTransposed, weights[dims - 1]});
        operations.push_back({"conv_transpose_grouped" + suffix, "transposed convolution", ranks[dims - 1],
                              Operation::Start::Channels,
                              [](Task &task) { emitConvolution(task, Kind::Grouped, true); }, acceptsTransposed, 2});
    }
    return operations;
}

} // namespace dice::corpus
