#include "writers.h"

#include "core/train/corpus/task.h"

#include <algorithm>

namespace dice::corpus {

namespace {

constexpr std::string_view blockSum = R"(__device__ double block_sum(double s) {
    __shared__ double buf[256];
    __syncthreads();
    buf[threadIdx.x] = s;
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (threadIdx.x < k) buf[threadIdx.x] += buf[threadIdx.x + k];
        __syncthreads();
    }
    return buf[0];
}
)";

// "torch::Tensor relu_cuda(torch::Tensor x)" out of the launcher's text.
std::string declaration(std::string_view name, std::string_view text)
{
    const size_t begin = text.find("torch::Tensor " + std::string(name) + "_cuda(");
    const size_t end = text.find(") {", begin);
    return std::string(text.substr(begin, end + 1 - begin)) + ";\n";
}

std::string modelClass(const Task &task)
{
    std::string text = "class ModelNew(nn.Module):\n";
    if (!task.style().omitsConstructor || !task.constructorLines().empty()) {
        std::vector<Argument> arguments = task.arguments();
        std::stable_partition(arguments.begin(), arguments.end(),
                              [](const Argument &argument) { return argument.defaultText.empty(); });
        text += "    def __init__(self";
        for (const Argument &argument : arguments)
            text += ", " + argument.name + (argument.defaultText.empty() ? "" : "=" + argument.defaultText);
        text += "):\n        super().__init__()\n";
        for (const std::string &line : task.constructorLines())
            text += "        " + line + "\n";
        text += "\n";
    }
    std::vector<std::string> names{"self"};
    for (const Input &input : task.inputs())
        names.push_back(input.name);
    text += "    def forward(" + joined(names, ", ") + "):\n";
    for (const std::string &line : task.answerLines())
        text += "        " + line + "\n";
    return text + "        return x\n";
}

} // namespace

std::string writeAnswer(const Task &task)
{
    std::string kernels, declarations;
    std::vector<std::string> functions;
    bool needsBlockSum = false;
    for (int index : task.kernelOrder()) {
        const bool isElementwise = index < 0;
        const std::string name = isElementwise ? task.elementwiseKernels()[size_t(-1 - index)].name
                                               : std::string(task.kernels()[size_t(index)].name);
        const std::string_view text = isElementwise
            ? std::string_view(task.elementwiseKernels()[size_t(-1 - index)].text)
            : task.kernels()[size_t(index)].text;
        needsBlockSum = needsBlockSum || (!isElementwise && task.kernels()[size_t(index)].needsBlockSum);
        kernels += "\n" + std::string(text);
        declarations += declaration(name, text);
        functions.push_back("'" + name + "_cuda'");
    }
    const std::string first = functions.front().substr(1, functions.front().rfind("_cuda") - 1);
    return "import torch\n"
           "import torch.nn as nn\n"
           "from torch.utils.cpp_extension import load_inline\n\n"
        + modelClass(task) + "\nsource = '''\n#include <torch/extension.h>\n"
        + (needsBlockSum ? "\n" + std::string(blockSum) : std::string()) + kernels + "'''\n\nsignatures = '''\n"
        + declarations + "'''\n\next = load_inline(name='" + first
        + "_ext', cpp_sources=signatures, cuda_sources=source, functions=[" + joined(functions, ", ") + "])\n";
}

} // namespace dice::corpus
