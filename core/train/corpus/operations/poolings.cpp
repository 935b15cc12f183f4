#include "core/train/corpus/forms.h"
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/poolingkernels.h"
#include "core/train/corpus/operations/window.h"

#include <algorithm>

namespace dice::corpus {

namespace {

struct PoolNumbers
{
    int64_t kernel = 2, stride = 2, padding = 0, dilation = 1;
    bool hasStride = false;
};

PoolNumbers drawNumbers(Task &task, bool isMax)
{
    Rng &rng = task.rng();
    int64_t smallest = task.shape()[2].size;
    for (size_t k = 3; k < task.shape().size(); ++k)
        smallest = std::min(smallest, task.shape()[k].size);
    PoolNumbers numbers;
    for (int tries = 0; tries < 30; ++tries) {
        numbers.kernel = std::stoi(rng.pick("2|2|2|3|3|4|5|7|8|11"));
        numbers.hasStride = rng.chance(60);
        numbers.stride = numbers.hasStride ? std::stoi(rng.pick("1|2|2|3|4")) : numbers.kernel;
        numbers.padding = rng.chance(40) ? rng.between(0, int(numbers.kernel) / 2) : 0;
        numbers.dilation = isMax && rng.chance(25) ? rng.between(1, 3) : 1;
        if (windowPositions(smallest, numbers.kernel, numbers.stride, numbers.padding, numbers.dilation) >= 2)
            return numbers;
    }
    return {2, 2, 0, 1, false};
}

Shape pooledShape(const Task &task, const PoolNumbers &numbers)
{
    Shape shape = task.shape();
    for (size_t k = 2; k < shape.size(); ++k)
        shape[k]
            = {windowPositions(shape[k].size, numbers.kernel, numbers.stride, numbers.padding, numbers.dilation), -1};
    return shape;
}

// Constructor or call arguments after the kernel size; every one drawn as literal or argument.
std::string poolArguments(Task &task, const PoolNumbers &numbers, bool isMax, bool inConstructor,
                          std::vector<std::string> &spelled)
{
    Rng &rng = task.rng();
    auto text = [&](std::string_view names, int64_t value, std::string_view other) {
        return inConstructor ? task.hyper(names, std::to_string(value), other) : std::to_string(value);
    };
    const std::string kernel = text("kernel_size|kernel_size|k|pool_kernel_size|pool_size", numbers.kernel, "2");
    std::string arguments = (rng.chance(45) ? "kernel_size=" : "") + kernel;
    spelled = {kernel, kernel, "0", "1"};
    const bool isPositional = arguments.find('=') == std::string::npos && rng.chance(40);
    if (numbers.hasStride) {
        spelled[1] = text("stride|stride|pool_stride", numbers.stride, "1");
        arguments += (isPositional ? ", " : ", stride=") + spelled[1];
    } else if (inConstructor && rng.chance(task.style().hasLongSignature ? 60 : 8)) {
        arguments += ", stride=" + task.hyper("stride", "None");
    }
    if (numbers.padding > 0 || rng.chance(20)) {
        spelled[2] = text("padding|padding|pad", numbers.padding, "0");
        arguments += (isPositional && numbers.hasStride ? ", " : ", padding=") + spelled[2];
    }
    if (isMax && (numbers.dilation > 1 || rng.chance(12))) {
        spelled[3] = text("dilation", numbers.dilation, "1");
        arguments += ", dilation=" + spelled[3];
    }
    if (inConstructor && isMax && task.style().hasLongSignature && rng.chance(40))
        arguments += ", return_indices=" + task.hyper("return_indices", "False");
    if (inConstructor && task.style().hasLongSignature && rng.chance(30))
        arguments += ", ceil_mode=" + task.hyper("ceil_mode", "False");
    return arguments;
}

void emitPool(Task &task, bool isMax, int dims)
{
    Rng &rng = task.rng();
    const PoolNumbers numbers = drawNumbers(task, isMax);
    const bool isModule = rng.chance(85);
    std::vector<std::string> spelled;
    const std::string arguments = poolArguments(task, numbers, isMax, isModule, spelled);
    const std::string kind = isMax ? "Max" : "Avg";
    const Shape shape = pooledShape(task, numbers);
    std::string call;
    if (isModule) {
        const std::string names = isMax ? "pool|maxpool|max_pool|pooling|pool1" : "pool|avg_pool|avgpool|pooling|avg";
        const std::string a
            = writeForm(task, "nn." + kind + "Pool" + std::to_string(dims) + "d(" + arguments + ")", shape, names);
        // nn.AvgPool1d keeps tuples where the others keep numbers.
        const std::string at = !isMax && dims == 1 ? "[0]" : "";
        call = ", " + a + ".kernel_size" + at + ", " + a + ".stride" + at + ", " + a + ".padding" + at
            + (isMax ? ", " + a + ".dilation" : "");
    } else {
        const std::string function = std::string("F.") + (isMax ? "max" : "avg") + "_pool" + std::to_string(dims) + "d";
        writeForm(task, function + "({a}, " + arguments + ")", shape);
        call = ", " + spelled[0] + ", " + spelled[1] + ", " + spelled[2] + (isMax ? ", " + spelled[3] : "");
    }
    task.apply(poolingKernel(dims, isMax), call);
}

void emitAdaptive(Task &task, bool isMax, int dims)
{
    Rng &rng = task.rng();
    int64_t smallest = task.shape()[2].size;
    for (size_t k = 3; k < task.shape().size(); ++k)
        smallest = std::min(smallest, task.shape()[k].size);
    const int64_t size = rng.chance(65) ? 1 : rng.between(1, int(std::min<int64_t>(7, smallest)));
    const std::string number = std::to_string(size);
    const bool isTuple = dims > 1 && rng.chance(60);
    std::string text = number;
    for (int k = 1; isTuple && k < dims; ++k)
        text += ", " + number;
    if (isTuple)
        text = "(" + text + ")";
    Shape shape = task.shape();
    for (size_t k = 2; k < shape.size(); ++k)
        shape[k] = {size, -1};
    const std::string kind = isMax ? "Max" : "Avg";
    std::string call;
    if (rng.chance(80)) {
        writeForm(task, "nn.Adaptive" + kind + "Pool" + std::to_string(dims) + "d(" + text + ")", shape,
                  "pool|avg_pool|global_pool|gap|adaptive_pool|avgpool");
    } else {
        writeForm(task,
                  std::string("F.adaptive_") + (isMax ? "max" : "avg") + "_pool" + std::to_string(dims) + "d({a}, "
                      + text + ")",
                  shape);
    }
    for (int k = 0; k < dims; ++k)
        call += ", " + number;
    task.apply(adaptivePoolingKernel(dims, isMax), call);
}

bool hasRoom(const Task &task)
{
    for (size_t k = 2; k < task.shape().size(); ++k)
        if (task.shape()[k].size < 4)
            return false;
    return true;
}

} // namespace

std::vector<Operation> poolingOperations()
{
    std::vector<Operation> operations;
    constexpr int ranks[] = {rank3, rank4, rank5};
    for (bool isMax : {true, false}) {
        for (int dims = 1; dims <= 3; ++dims) {
            operations.push_back({std::string(poolingKernel(dims, isMax).name), "pooling", ranks[dims - 1],
                                  Operation::Start::Channels,
                                  [isMax, dims](Task &task) { emitPool(task, isMax, dims); }, hasRoom, 14});
            if (isMax && dims == 3)
                continue;
            operations.push_back(
                {std::string(isMax ? "adaptive_max_pool" : "adaptive_avg_pool") + std::to_string(dims) + "d", "pooling",
                 ranks[dims - 1], Operation::Start::Channels,
                 [isMax, dims](Task &task) { emitAdaptive(task, isMax, dims); }, hasRoom, isMax ? 2 : 8});
        }
    }
    return operations;
}

} // namespace dice::corpus
