#include "elementwise.h"

#include <cctype>

namespace dice::corpus {

namespace {

bool isLiteral(const std::string &text)
{
    return std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-';
}

std::string cudaFloat(const std::string &text)
{
    bool isInteger = text.find_first_of(".e") == std::string::npos;
    return text + (isInteger ? ".0f" : "f");
}

void replaceAll(std::string &text, std::string_view from, std::string_view to)
{
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

// Everything a tensor adds to a kernel, its launcher and the launch.
struct TensorParts
{
    std::string declaration;
    std::string element;
    std::string launch;
};

TensorParts tensorParts(Broadcast broadcast, int number)
{
    const std::string b = "b" + std::to_string(number);
    const std::string m = "m" + std::to_string(number);
    const std::string c = "c" + std::to_string(number);
    const std::string pointer = b + ".data_ptr<float>(), ";
    switch (broadcast) {
    case Broadcast::Same:
        return {"const float* " + b + ", ", b + "[i]", pointer};
    case Broadcast::Suffix:
        return {"const float* " + b + ", int64_t " + m + ", ", b + "[i % " + m + "]", pointer + b + ".numel(), "};
    case Broadcast::Channel:
        break;
    }
    return {"const float* " + b + ", int64_t " + c + ", int64_t " + m + ", ", b + "[i / " + m + " % " + c + "]",
            pointer + b + ".numel(), x.stride(1), "};
}

} // namespace

void ElementwiseKernel::rename(const std::string &newName)
{
    for (const char *suffix : {"_kernel", "_cuda"})
        replaceAll(text, " " + name + suffix, " " + newName + suffix);
    name = newName;
}

ElementwiseKernel ElementwiseGroup::kernel() const
{
    std::string name, statements, declarations, launcher, contiguous, launch;
    int numNumbers = 0;
    int numTensors = 0;
    for (const Step &step : m_steps) {
        name += (name.empty() ? "" : "_") + step.name;
        std::string code = step.code;
        for (size_t k = 0; k < step.tensors.size(); ++k) {
            const std::string b = "b" + std::to_string(numTensors);
            TensorParts parts = tensorParts(step.tensors[k].broadcast, numTensors++);
            declarations += parts.declaration;
            launcher += ", torch::Tensor " + b;
            contiguous += "    " + b + " = " + b + ".contiguous();\n";
            launch += parts.launch;
            replaceAll(code, "@" + std::to_string(k), parts.element);
        }
        for (size_t k = 0; k < step.numbers.size(); ++k) {
            std::string number = cudaFloat(step.numbers[k]);
            if (!isLiteral(step.numbers[k])) {
                number = "p" + std::to_string(numNumbers++);
                declarations += "float " + number + ", ";
                launcher += ", double " + number;
                launch += number + ", ";
            }
            replaceAll(code, "$" + std::to_string(k), number);
        }
        statements += code.empty() ? "" : "    " + code + "\n";
    }
    std::string text = "__global__ void " + name + "_kernel(const float* x, " + declarations
        + "float* out, int64_t n) {\n"
          "    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;\n"
          "    if (i >= n) return;\n"
          "    float v = x[i];\n"
        + statements
        + "    out[i] = v;\n"
          "}\n\n"
          "torch::Tensor "
        + name + "_cuda(torch::Tensor x" + launcher + ") {\n    x = x.contiguous();\n" + contiguous
        + "    auto out = torch::empty_like(x);\n"
          "    int64_t n = x.numel();\n    "
        + name + "_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), " + launch
        + "out.data_ptr<float>(), n);\n"
          "    return out;\n"
          "}\n";
    return {name, text};
}

std::string ElementwiseGroup::callArguments() const
{
    std::string arguments;
    for (const Step &step : m_steps) {
        for (const ElementwiseTensor &tensor : step.tensors)
            arguments += ", " + tensor.argument;
        for (const std::string &number : step.numbers)
            if (!isLiteral(number))
                arguments += ", " + number;
    }
    return arguments;
}

} // namespace dice::corpus
