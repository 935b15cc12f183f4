// Adjacent elementwise operations become one kernel: their statements over `v`, their numbers and tensors as
// parameters. Must not know the module side of a task.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dice::corpus {

// How a second tensor is read beside x: same shape; repeated over the leading axes; one number a channel (axis 1).
enum class Broadcast { Same, Suffix, Channel };

struct ElementwiseTensor
{
    std::string argument; // as written in the answer's forward
    Broadcast broadcast = Broadcast::Same;
};

struct ElementwiseStep
{
    std::string_view name; // part of the kernel's name
    std::string_view code; // statements over v; $0, $1: numbers; @0, @1: tensor elements
    std::vector<std::string> numbers; // Python literals are inlined, anything else is passed
    std::vector<ElementwiseTensor> tensors;
};

struct ElementwiseKernel
{
    std::string name; // without the suffix
    std::string text; // kernel and launcher

    void rename(const std::string &newName);
};

// Collects steps until something else has to run.
class ElementwiseGroup
{
public:
    bool isEmpty() const { return m_steps.empty(); }
    void add(const ElementwiseStep &step)
    {
        m_steps.push_back({std::string(step.name), std::string(step.code), step.numbers, step.tensors});
    }
    void clear() { m_steps.clear(); }
    ElementwiseKernel kernel() const;
    // The arguments after x, each with a leading comma.
    std::string callArguments() const;

private:
    struct Step
    {
        std::string name;
        std::string code;
        std::vector<std::string> numbers;
        std::vector<ElementwiseTensor> tensors;
    };
    std::vector<Step> m_steps;
};

} // namespace dice::corpus
