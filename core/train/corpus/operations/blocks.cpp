// Small blocks with a connection around them: x + f(x), a loss with a penalty.
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/convolutionkernels.h"
#include "core/train/corpus/operations/sharedkernels.h"

namespace dice::corpus {

namespace {

void addKept(Task &task, const Task::Kept &kept)
{
    const bool isFirst = task.rng().chance(35);
    const std::string text = isFirst ? kept.module + " + " + task.operand(Precedence::Term)
                                     : task.operand(Precedence::Arithmetic) + " + " + kept.module;
    task.set(text, Precedence::Arithmetic, task.shape());
    task.elementwise({"add", "v = v + @0;", {}, {{kept.answer, Broadcast::Same}}});
}

} // namespace

std::vector<Operation> blockOperations()
{
    // The inner layer keeps the shape; what it is follows from the rank.
    Operation residual;
    residual.name = "residual_block";
    residual.family = "residual";
    residual.ranks = rank2 | rank3 | rank4;
    residual.weight = 8;
    residual.accepts = [](const Task &task) {
        return task.shape()[task.rank() == 4 ? 1 : size_t(task.rank()) - 1].symbol >= 0
            && task.shape().back().size >= 3;
    };
    residual.emit = [](Task &task) {
        Rng &rng = task.rng();
        const Task::Kept kept = task.keep();
        if (task.rank() == 4) {
            const std::string size = task.sizeArgument(task.current().shape[1], "channels|in_channels|features|c");
            const std::string a
                = task.attribute("conv|conv1|layer",
                                 "nn.Conv2d(" + size + ", " + size + ", "
                                     + (rng.chance(50) ? "3, padding=1)" : "kernel_size=3, padding=1)"));
            task.setCall(a + "(" + task.operand() + ")");
            task.apply(convolutionKernel(2, false),
                       ", " + a + ".weight, " + a + ".bias, " + a + ".stride, " + a + ".padding, " + a + ".dilation, "
                           + a + ".groups");
        } else {
            const std::string size
                = task.sizeArgument(task.current().shape.back(), "dim|features|hidden_size|width|d_model");
            const std::string a = task.attribute("fc|linear|proj|layer", "nn.Linear(" + size + ", " + size + ")");
            task.setCall(a + "(" + task.operand() + ")");
            task.apply(linearKernel(), ", " + a + ".weight, " + a + ".bias");
        }
        if (rng.chance(50)) {
            task.setCall("torch.relu(" + task.operand() + ")");
            task.elementwise({"relu", "v = v > 0.0f ? v : 0.0f;", {}, {}});
        }
        addKept(task, kept);
    };
    return {residual};
}

} // namespace dice::corpus
