// One task under construction: the PyTorch module on one side, the answer's kernels on the other, written step by
// step by the operations. Must not know which operations exist, nor how the two files are laid out.
#pragma once

#include "core/train/corpus/elementwise.h"
#include "core/train/corpus/rng.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dice::corpus {

// Binding strength of a Python expression, in the order of Python's grammar.
enum class Precedence { Tuple, Arithmetic, Term, Factor, Power, Atom };

// One axis of a tensor. A symbol stands for a size that the module names; derived sizes have none.
struct Dim
{
    int64_t size = 0;
    int symbol = -1;
};
using Shape = std::vector<Dim>;

struct Value
{
    std::string text;
    Precedence precedence = Precedence::Atom;
    Shape shape;
    bool isPositive = false; // every element is above zero, so log and sqrt are defined
    bool isLarge = false; // values may be far from 1: no exp, no powers
    bool isFinal = false; // no floats any more: nothing can follow
    bool isComputed = false; // carries rounding, so functions with jumps are out
};

// A size the module talks about: `batch_size`, `in_channels`.
struct Symbol
{
    std::string roles; // candidate names, "in_channels|cin"
    int64_t size = 0;
    std::string constant; // module-level name; empty until used
    std::string argument; // constructor argument; empty when it is none
};

// One constructor argument and what get_init_inputs passes for it.
struct Argument
{
    std::string name;
    int symbol = -1;
    std::string literal;
    std::string defaultText; // empty: none
    bool isOmitted = false;
};

struct Input
{
    std::string name;
    std::string fill; // expression with {} for the sizes, ${n} for symbol n
    Shape shape;
};

struct Kernel
{
    std::string_view name;
    std::string_view text;
    bool needsBlockSum = false;
};

// How a task looks; drawn once a task.
struct Style
{
    enum class Constants { LowerCase, UpperCase, Short, Literals };
    Constants constants = Constants::LowerCase;
    bool constantsFirst = false;
    bool constantsOnOneLine = false;
    bool reassigns = true; // x = f(x) instead of fresh names
    int inlinePercent = 30; // how often a result is used without a name
    bool namesInputsLocally = false;
    bool hasLongSignature = false;
    bool usesOddNames = false;
    bool importsFunctionalAlways = false;
    bool superWithNames = false;
    bool omitsConstructor = false;
    bool usesShapeTuple = false;
    bool inputsLast = false; // get_init_inputs before get_inputs
    bool smallSizes = false;
};

class Task
{
public:
    Task(Rng &rng, bool forceSmallSizes);

    Rng &rng() { return m_rng; }
    const Style &style() const { return m_style; }
    void preferLongSignature() { m_style.hasLongSignature = true; }

    // --- sizes and inputs
    Dim newDim(std::string_view roles, int64_t size);
    // A size from the small or the large list, as the task's style wants.
    int64_t pickSize(std::string_view small, std::string_view large);
    Value addInput(std::string_view names, Shape shape, std::string_view fill = "torch.randn({})");
    // A Python number among the inputs.
    std::string addNumberInput(std::string_view names, std::string_view value);
    // Makes a fresh input the current value.
    void begin(std::string_view names, Shape shape, std::string_view fill = "torch.randn({})");

    // --- the current value, module side
    bool isEmpty() const { return m_current.text.empty(); }
    const Value &current() const { return m_current; }
    Value &current() { return m_current; }
    const Shape &shape() const { return m_current.shape; }
    int rank() const { return int(m_current.shape.size()); }
    // The current value as an operand: in parentheses when it binds less than `needed`.
    std::string operand(Precedence needed = Precedence::Tuple) const;
    // Gives the current value a name, so that it can be used twice.
    std::string named();
    void set(std::string text, Precedence precedence, Shape shape);
    void setCall(std::string text) { set(std::move(text), Precedence::Atom, m_current.shape); }
    void setShape(Shape shape) { m_current.shape = std::move(shape); }
    // A line of the module's forward that is no result (intermediate names).
    std::string assignLocal(std::string_view names, std::string_view text);
    // Two such lines, or one with two targets.
    struct Local
    {
        std::string_view names;
        std::string text;
    };
    enum class PairStyle { OneLine, TwoLines };
    std::pair<std::string, std::string> assignPair(const Local &first, const Local &second, PairStyle style);
    // Names the current value and keeps it for later use; returns the module's name and the answer's.
    struct Kept
    {
        std::string module;
        std::string answer;
        Shape shape;
    };
    Kept keep();
    // The answer's half of keep(): its variable for the current value, safe from later steps.
    std::string keepAnswer();
    // Whether the module may work in place on the current value.
    bool mayOverwrite() const { return m_current.isComputed && m_numKept == 0; }

    // --- constructor
    // The text by which the constructor knows a size: an argument's name, or the number.
    std::string sizeArgument(Dim &dim, std::string_view names);
    Dim newSizeArgument(std::string_view names, int64_t size);
    // A hyperparameter inside the constructor: the literal, or an argument of that value.
    std::string hyper(std::string_view names, std::string_view literal, std::string_view otherDefault = {});
    // An argument without default; the value may name symbols as ${n}.
    std::string requiredArgument(std::string_view names, std::string_view value);
    // A hyperparameter inside forward: the literal, or `self.name`.
    std::string setting(std::string_view names, std::string_view literal);
    // self.NAME = text; returns "self.NAME".
    std::string attribute(std::string_view names, std::string_view text);
    // A buffer of the constructor; returns "self.NAME".
    std::string buffer(std::string_view names, std::string_view text);
    // Spells the F. of a form: imported, or written out as torch.nn.functional.
    std::string withFunctional(std::string form);
    // Arguments that are stored and never used, as people leave them.
    void addIdleAttribute();

    // --- the answer
    std::string variable();
    // x = ext.NAME_cuda(current, arguments): arguments start with ", " or are empty.
    void apply(const Kernel &kernel, std::string_view arguments = {});
    // x = ext.NAME_cuda(arguments) with all arguments spelled out.
    void run(const Kernel &kernel, std::string_view arguments);
    // x = current + text: views only, such as ".flatten(1)".
    void view(std::string_view text);
    void elementwise(const ElementwiseStep &step);
    void finish();

    void countStep(std::string_view operation);

    // --- what the writers read
    const std::vector<Symbol> &symbols() const { return m_symbols; }
    std::vector<Symbol> &symbols() { return m_symbols; }
    const std::vector<Argument> &arguments() const { return m_arguments; }
    const std::vector<Input> &inputs() const { return m_inputs; }
    const std::vector<std::string> &constructorLines() const { return m_constructorLines; }
    const std::vector<std::string> &forwardLines() const { return m_forwardLines; }
    const std::vector<std::string> &answerLines() const { return m_answerLines; }
    const std::vector<Kernel> &kernels() const { return m_kernels; }
    const std::vector<ElementwiseKernel> &elementwiseKernels() const { return m_elementwiseKernels; }
    const std::vector<int> &kernelOrder() const { return m_kernelOrder; }
    const std::vector<std::string> &operations() const { return m_operations; }
    bool usesFunctional() const { return m_needsFunctional; }
    std::string uniqueConstant(std::string name);

private:
    std::string uniqueName(std::set<std::string> &taken, std::string_view names);
    void flushElementwise();
    void addKernel(const Kernel &kernel);
    void addAnswerLine(std::string_view call);

    Rng &m_rng;
    Style m_style;
    Value m_current;
    std::string m_answerVariable;
    ElementwiseGroup m_pending;
    std::vector<Symbol> m_symbols;
    std::vector<Argument> m_arguments;
    std::vector<Input> m_inputs;
    std::vector<std::string> m_constructorLines;
    std::vector<std::string> m_forwardLines;
    std::vector<std::string> m_answerLines;
    std::vector<Kernel> m_kernels;
    std::vector<ElementwiseKernel> m_elementwiseKernels;
    std::vector<int> m_kernelOrder; // >= 0: index into kernels, < 0: -1 - index into elementwise kernels
    std::vector<std::string> m_operations;
    std::set<std::string> m_locals;
    std::set<std::string> m_attributes;
    std::set<std::string> m_argumentNames;
    std::set<std::string> m_constants;
    int m_numKept = 0;
    bool m_needsFunctional = false;
};

} // namespace dice::corpus
