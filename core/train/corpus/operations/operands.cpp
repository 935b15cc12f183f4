// Elementwise operations with a second tensor: another input, a parameter of the module, or an earlier value.
#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

// {x}, {y}, {a} as in unary rows; {b}: the other tensor's name.
struct BinaryRow
{
    std::string_view name;
    std::string_view forms;
    std::string_view code; // @0: the other tensor's element
    bool needsPositiveOther = false;
};

constexpr BinaryRow binaryRows[] = {
    {"add", "A:{x} + {b}|A:{x} + {b}|torch.add({a}, {b})|A:{b} + {y}", "v = v + @0;"},
    {"sub", "A:{x} - {b}|torch.sub({a}, {b})|A:{x} - {b}", "v = v - @0;"},
    {"mul", "T:{x} * {b}|torch.mul({a}, {b})|T:{b} * {y}", "v = v * @0;"},
    {"div", "T:{x} / {b}|torch.div({a}, {b})", "v = v / @0;", true},
    {"maximum", "torch.maximum({a}, {b})|torch.max({a}, {b})", "v = fmaxf(v, @0);"},
    {"minimum", "torch.minimum({a}, {b})|torch.min({a}, {b})", "v = fminf(v, @0);"},
    {"gate", "T:{x} * torch.sigmoid({b})|T:torch.sigmoid({b}) * {y}", "v = v / (1.0f + expf(-@0));"},
    {"silu_gate", "T:{x} * F.silu({b})|T:F.silu({b}) * {y}", "v = v * @0 / (1.0f + expf(-@0));"},
    {"squared_difference", "P:({a} - {b}) ** 2|torch.square({a} - {b})|torch.pow({a} - {b}, 2)",
     "v = (v - @0) * (v - @0);"},
    {"absolute_difference", "torch.abs({a} - {b})", "v = fabsf(v - @0);"},
};

void writeBinary(Task &task, const BinaryRow &row, const std::string &other)
{
    std::string form = task.rng().pick(row.forms);
    replaceAll(form, "{b}", other);
    writeForm(task, form, task.shape());
}

Operation withInput(const BinaryRow &row)
{
    Operation operation;
    operation.name = std::string(row.name) + "_tensors";
    operation.family = "operand";
    operation.weight = 5;
    operation.accepts = [](const Task &task) {
        for (const Dim &dim : task.shape())
            if (dim.symbol < 0)
                return false;
        return true;
    };
    operation.emit = [row](Task &task) {
        const std::string_view fill = row.needsPositiveOther ? "torch.rand({}) + 0.5" : "torch.randn({})";
        const Value other = task.addInput("y|b|B|other|gate|mask|z|residual_in|bias_in|right", task.shape(), fill);
        writeBinary(task, row, other.text);
        task.elementwise({row.name, row.code, {}, {{other.text, Broadcast::Same}}});
    };
    return operation;
}

// A parameter that is added to or multiplied with every row or channel.
struct ParameterRow
{
    std::string_view name;
    int operation; // index into binaryRows
    Broadcast broadcast;
    std::string_view names;
};

constexpr ParameterRow parameterRows[] = {
    {"add_row", 0, Broadcast::Suffix, "bias|bias|b|shift|offset|beta"},
    {"mul_row", 2, Broadcast::Suffix, "scale|weight|gain|gamma|g"},
    {"sub_row", 1, Broadcast::Suffix, "subtract|bias|mean|shift|offset"},
    {"add_channel", 0, Broadcast::Channel, "bias|bias|b|shift|offset"},
    {"mul_channel", 2, Broadcast::Channel, "scale|scaling|weight|gamma|multiplier"},
    {"sub_channel", 1, Broadcast::Channel, "subtract|bias|shift|offset"},
};

void emitParameter(Task &task, const ParameterRow &row)
{
    const bool isChannel = row.broadcast == Broadcast::Channel;
    Dim &dim = task.current().shape[isChannel ? 1 : size_t(task.rank()) - 1];
    const std::string size = task.sizeArgument(dim,
                                               isChannel ? "num_channels|channels|out_channels|c;C|CH"
                                                         : "features|dim|num_features|hidden_size|width|size;D|DIM|F");
    std::string shape = size;
    if (isChannel) {
        for (int k = 2; k < task.rank(); ++k)
            shape += ", 1";
        if (task.rng().chance(25))
            shape = "1, " + shape;
    }
    const bool isTuple = isChannel && task.rng().chance(20);
    if (isTuple)
        shape = "(" + shape + ")";
    std::string fill = task.rng().pick(
        row.operation == 2
            ? "torch.ones({})|torch.randn({})|torch.rand({}) + 0.5|torch.randn({})"
            : "torch.randn({})|torch.zeros({})|torch.randn({}) * 0.1|torch.randn({}) * 0.02|torch.randn({})");
    replaceAll(fill, "{}", shape);
    const std::string parameter = task.attribute(row.names, "nn.Parameter(" + fill + ")");
    writeBinary(task, binaryRows[row.operation], parameter);
    task.elementwise({row.name, binaryRows[row.operation].code, {}, {{parameter, row.broadcast}}});
}

Operation withParameter(const ParameterRow &row)
{
    Operation operation;
    operation.name = row.name;
    operation.family = "parameter";
    operation.weight = 12;
    const bool isChannel = row.broadcast == Broadcast::Channel;
    operation.ranks = isChannel ? rank3 | rank4 | rank5 : rank2 | rank3;
    operation.start = isChannel ? Operation::Start::Channels : Operation::Start::Tensor;
    operation.accepts = [isChannel](const Task &task) {
        return task.rank() >= 2 && task.shape()[isChannel ? 1 : size_t(task.rank()) - 1].symbol >= 0;
    };
    operation.emit = [row](Task &task) { emitParameter(task, row); };
    return operation;
}

// A learnt single number.
Operation scalarParameter()
{
    Operation operation;
    operation.name = "mul_scalar_parameter";
    operation.family = "parameter";
    operation.weight = 3;
    operation.emit = [](Task &task) {
        std::string value
            = task.rng().pick("torch.tensor(0.5)|torch.ones(1)|torch.tensor(1.5)|torch.randn(1)|torch.tensor(2.0)");
        const std::string parameter
            = task.attribute("scale|alpha|gamma|weight|temperature", "nn.Parameter(" + value + ")");
        const bool isSum = task.rng().chance(40);
        writeBinary(task, binaryRows[isSum ? 0 : 2], parameter);
        task.elementwise({isSum ? "add_row" : "mul_row",
                          isSum ? "v = v + @0;" : "v = v * @0;",
                          {},
                          {{parameter, Broadcast::Suffix}}});
    };
    return operation;
}

// y * scale + y, relu(y) + y, and the like: a value combined with its own function.
Operation selfResidual()
{
    Operation operation;
    operation.name = "self_residual";
    operation.family = "residual";
    operation.weight = 8;
    operation.emit = [](Task &task) {
        struct Form
        {
            std::string_view text;
            Precedence precedence;
            std::string_view name;
            std::string_view code;
            bool hasNumber;
        };
        constexpr Form forms[] = {
            {"{a} * {0} + {a}", Precedence::Arithmetic, "scale_residual", "v = v * $0 + v;", true},
            {"{a} + {a} * {0}", Precedence::Arithmetic, "scale_residual", "v = v * $0 + v;", true},
            {"{a} + {0} * {a}", Precedence::Arithmetic, "scale_residual", "v = v * $0 + v;", true},
            {"{a} + torch.relu({a})", Precedence::Arithmetic, "relu_residual", "v = v + (v > 0.0f ? v : 0.0f);", false},
            {"torch.tanh({a}) + {a}", Precedence::Arithmetic, "tanh_residual", "v = v + tanhf(v);", false},
            {"{a} + torch.sigmoid({a})", Precedence::Arithmetic, "sigmoid_residual",
             "v = v + 1.0f / (1.0f + expf(-v));", false},
            {"{a} + {a}", Precedence::Arithmetic, "double", "v = v + v;", false},
        };
        const Form &form = forms[task.rng().below(7)];
        std::string text(form.text);
        replaceAll(text, "{a}", task.named());
        std::vector<std::string> numbers;
        if (form.hasNumber) {
            numbers.push_back(
                task.setting("scaling_factor|scale|factor|alpha|weight", task.rng().pick("0.5|0.1|2.0|0.25|1.5|0.3")));
            replaceAll(text, "{0}", numbers[0]);
        }
        const bool isLarge = task.current().isLarge;
        task.set(text, form.precedence, task.shape());
        task.current().isLarge = isLarge;
        task.elementwise({form.name, form.code, numbers, {}});
    };
    return operation;
}

} // namespace

std::vector<Operation> operandOperations()
{
    std::vector<Operation> operations;
    for (const BinaryRow &row : binaryRows)
        operations.push_back(withInput(row));
    for (const ParameterRow &row : parameterRows)
        operations.push_back(withParameter(row));
    operations.push_back(scalarParameter());
    operations.push_back(selfResidual());
    return operations;
}

} // namespace dice::corpus
