#include "writers.h"

#include "core/train/corpus/task.h"

#include <algorithm>
#include <cctype>

namespace dice::corpus {

std::string joined(const std::vector<std::string> &parts, std::string_view separator)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? std::string() : std::string(separator)) + part;
    return text;
}

namespace {

struct Constant
{
    std::string name;
    std::string value;
};

class ModuleWriter
{
public:
    explicit ModuleWriter(Task &task)
        : m_task(task)
        , m_style(task.style())
        , m_rng(task.rng())
    {
    }

    std::string write()
    {
        chooseShapeTuple();
        const std::string inputs = inputsFunction();
        const std::string initInputs = initFunction();
        std::string text = "import torch\nimport torch.nn as nn\n";
        if (m_task.usesFunctional() || m_style.importsFunctionalAlways)
            text += "import torch.nn.functional as F\n";
        const std::string model = modelClass();
        if (model.find("math.") != std::string::npos)
            text += "import math\n";
        const std::string constants = constantLines();
        if (m_style.constantsFirst)
            text += constants;
        text += model;
        if (!m_style.constantsFirst)
            text += constants;
        return text + (m_style.inputsLast ? initInputs + inputs : inputs + initInputs);
    }

private:
    std::string upper(std::string text) const
    {
        std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
        return text;
    }

    std::string roleName(const Symbol &symbol)
    {
        const size_t cut = symbol.roles.find(';');
        if (m_style.constants == Style::Constants::Short && cut != std::string::npos)
            return m_rng.pick(std::string_view(symbol.roles).substr(cut + 1));
        const bool isNamed
            = !symbol.argument.empty() && std::isdigit(static_cast<unsigned char>(symbol.argument[0])) == 0;
        const std::string name = isNamed ? symbol.argument : m_rng.pick(std::string_view(symbol.roles).substr(0, cut));
        return m_style.constants == Style::Constants::LowerCase ? name : upper(name);
    }

    // The module's text for a symbol: its constant, or the number itself.
    std::string symbolText(int index)
    {
        Symbol &symbol = m_task.symbols()[size_t(index)];
        const bool isNumber
            = !symbol.argument.empty() && std::isdigit(static_cast<unsigned char>(symbol.argument[0])) != 0;
        if (m_style.constants == Style::Constants::Literals || isNumber)
            return std::to_string(symbol.size);
        if (symbol.constant.empty())
            symbol.constant = m_task.uniqueConstant(roleName(symbol));
        return symbol.constant;
    }

    std::string dimText(const Dim &dim) { return dim.symbol >= 0 ? symbolText(dim.symbol) : std::to_string(dim.size); }

    std::string resolved(std::string text)
    {
        for (size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
            const size_t end = text.find('}', at);
            text.replace(at, end - at + 1, symbolText(std::stoi(text.substr(at + 2, end - at - 2))));
        }
        return text;
    }

    // torch.randn(batch_size, *input_shape): only where every input has the same shape and no size is an argument.
    void chooseShapeTuple()
    {
        const std::vector<Input> &inputs = m_task.inputs();
        m_usesTuple = m_style.usesShapeTuple && m_style.constants != Style::Constants::Literals
            && inputs.front().shape.size() >= 2;
        for (const Input &input : inputs) {
            m_usesTuple = m_usesTuple && input.fill.find("${") == std::string::npos
                && input.shape.size() == inputs.front().shape.size();
            for (size_t k = 1; m_usesTuple && k < input.shape.size(); ++k) {
                const int symbol = input.shape[k].symbol;
                m_usesTuple = symbol >= 0 && symbol == inputs.front().shape[k].symbol
                    && m_task.symbols()[size_t(symbol)].argument.empty();
            }
        }
        for (const Argument &argument : m_task.arguments())
            m_usesTuple = m_usesTuple && argument.symbol < 0 && argument.literal.find("${") == std::string::npos;
    }

    std::string tupleName()
    {
        if (m_tuple.name.empty()) {
            m_tuple.name
                = m_task.uniqueConstant(m_style.constants == Style::Constants::LowerCase ? "input_shape" : "SHAPE");
            const Shape &shape = m_task.inputs().front().shape;
            std::vector<std::string> sizes;
            for (size_t k = 1; k < shape.size(); ++k)
                sizes.push_back(std::to_string(shape[k].size));
            m_tuple.value = "(" + joined(sizes, ", ") + (sizes.size() == 1 ? ",)" : ")");
        }
        return m_tuple.name;
    }

    std::string fillText(const Input &input)
    {
        std::string text = input.fill;
        for (size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}")) {
            std::vector<std::string> sizes;
            for (const Dim &dim : input.shape) {
                if (m_usesTuple && !sizes.empty()) {
                    sizes.push_back("*" + tupleName());
                    break;
                }
                sizes.push_back(dimText(dim));
            }
            text.replace(at, 2, joined(sizes, ", "));
        }
        return resolved(text);
    }

    std::string inputsFunction()
    {
        std::string text = "\ndef get_inputs():\n";
        std::vector<std::string> values;
        for (const Input &input : m_task.inputs()) {
            const std::string fill = fillText(input);
            if (m_style.namesInputsLocally)
                text += "    " + input.name + " = " + fill + "\n";
            values.push_back(m_style.namesInputsLocally ? input.name : fill);
        }
        return text + "    return [" + joined(values, ", ") + "]\n";
    }

    std::string argumentValue(const Argument &argument)
    {
        if (argument.symbol >= 0)
            return symbolText(argument.symbol);
        const bool isConstant = m_style.constants == Style::Constants::LowerCase ? m_rng.chance(70)
            : m_style.constants == Style::Constants::Literals                    ? false
                                                                                 : m_rng.chance(30);
        if (!isConstant || argument.literal.find("${") != std::string::npos)
            return resolved(argument.literal);
        const bool isLower = m_style.constants == Style::Constants::LowerCase;
        const std::string name = m_task.uniqueConstant(isLower ? argument.name : upper(argument.name));
        m_hyperConstants.push_back({name, argument.literal});
        return name;
    }

    // Arguments in the signature's order: those without a default first.
    std::vector<Argument> orderedArguments() const
    {
        std::vector<Argument> arguments = m_task.arguments();
        std::stable_partition(arguments.begin(), arguments.end(),
                              [](const Argument &argument) { return argument.defaultText.empty(); });
        return arguments;
    }

    std::string initFunction()
    {
        std::vector<Argument> arguments = orderedArguments();
        while (!arguments.empty() && !arguments.back().defaultText.empty() && arguments.back().isOmitted)
            arguments.pop_back();
        std::vector<std::string> values;
        for (const Argument &argument : arguments)
            values.push_back(argumentValue(argument));
        return "\ndef get_init_inputs():\n    return [" + joined(values, ", ") + "]\n";
    }

    std::string constantLines()
    {
        std::vector<Constant> constants;
        for (const Symbol &symbol : m_task.symbols())
            if (!symbol.constant.empty())
                constants.push_back({symbol.constant, std::to_string(symbol.size)});
        std::string text;
        if (m_style.constantsOnOneLine && constants.size() > 1) {
            std::vector<std::string> names, values;
            for (const Constant &constant : constants) {
                names.push_back(constant.name);
                values.push_back(constant.value);
            }
            text = joined(names, ", ") + " = (" + joined(values, ", ") + ")\n";
            constants.clear();
        }
        if (!m_tuple.name.empty())
            constants.push_back(m_tuple);
        constants.insert(constants.end(), m_hyperConstants.begin(), m_hyperConstants.end());
        for (const Constant &constant : constants)
            text += constant.name + " = " + constant.value + "\n";
        return text;
    }

    std::string modelClass()
    {
        std::string text = "\nclass Model(nn.Module):\n";
        if (!m_style.omitsConstructor || !m_task.constructorLines().empty()) {
            text += "\n    def __init__(" + constructorSignature() + "):\n        super("
                + (m_style.superWithNames ? "Model, self" : "") + ").__init__()\n";
            for (const std::string &line : m_task.constructorLines())
                text += "        " + line + "\n";
        }
        std::vector<std::string> names{"self"};
        for (const Input &input : m_task.inputs())
            names.push_back(input.name);
        text += "\n    def forward(" + joined(names, ", ") + "):\n";
        for (const std::string &line : m_task.forwardLines())
            text += "        " + line + "\n";
        return text + "        return " + m_task.current().text + "\n";
    }

    std::string constructorSignature() const { return signature(orderedArguments()); }

    static std::string signature(const std::vector<Argument> &arguments)
    {
        std::string text = "self";
        for (const Argument &argument : arguments)
            text += ", " + argument.name + (argument.defaultText.empty() ? "" : "=" + argument.defaultText);
        return text;
    }

    Task &m_task;
    const Style &m_style;
    Rng &m_rng;
    bool m_usesTuple = false;
    Constant m_tuple;
    std::vector<Constant> m_hyperConstants;
};

} // namespace

std::string writeModule(Task &task)
{
    return ModuleWriter(task).write();
}

} // namespace dice::corpus
