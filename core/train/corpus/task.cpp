#include "task.h"

#include "core/train/corpus/text.h"

#include <algorithm>
#include <cctype>

namespace dice::corpus {

namespace {

// Names nobody would guess: the model has to copy them.
constexpr std::string_view oddNames = "alpha|blob|core|data_in|feat|gizmo|hidden|item|joint|kite|lane|main|node|orbit|"
                                      "part|quark|route|signal|token|unit|"
                                      "value|wave|yield_|zone|block_a|stage1|stage2|head|tail|body|left_part|right_"
                                      "part|foo|bar|baz|tmp|cfg|opt|acc|buf|"
                                      "mapper|encoder|decoder|mixer|filter_|probe|window|frame|grid|cell|lattice|bank|"
                                      "trunk|stem|branch|leaf|root|delta|"
                                      "gamma_|theta|sigma|omega|kappa|lam|mu|nu|rho|tau|phi|psi|xi|eta|beta_|chunk_|"
                                      "piece|sample|batch_item|reading|source_t";

std::string inventedName(Rng &rng)
{
    std::string name;
    for (int syllables = rng.between(2, 3); syllables > 0; --syllables)
        name += rng.pick("ba|ke|lo|mi|nu|ra|se|to|vi|wa|zu|po|di|ga|fe|ho|ju|ly|qua|xe");
    return rng.chance(15) ? name + "_" + rng.pick("a|b|in|out|0|1|x") : name;
}

bool isIdentifier(std::string_view text)
{
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0
        && std::all_of(text.begin(), text.end(),
                       [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; });
}

Style drawStyle(Rng &rng, bool forceSmallSizes)
{
    using Constants = Style::Constants;
    constexpr Constants constants[]
        = {Constants::LowerCase, Constants::LowerCase, Constants::LowerCase, Constants::UpperCase,
           Constants::Short,     Constants::Short,     Constants::Literals};
    Style style;
    style.constants = constants[rng.below(7)];
    style.constantsFirst = rng.chance(15);
    style.constantsOnOneLine = rng.chance(style.constants == Constants::LowerCase ? 12 : 60);
    style.reassigns = rng.chance(60);
    style.inlinePercent = rng.chance(40) ? 80 : 20;
    style.namesInputsLocally = rng.chance(30);
    style.hasLongSignature = rng.chance(20);
    style.usesOddNames = rng.chance(20);
    style.importsFunctionalAlways = rng.chance(15);
    style.superWithNames = rng.chance(40);
    style.omitsConstructor = rng.chance(12);
    style.usesShapeTuple = rng.chance(20);
    style.inputsLast = rng.chance(4);
    style.smallSizes = rng.chance(45) || forceSmallSizes;
    return style;
}

} // namespace

Task::Task(Rng &rng, bool forceSmallSizes)
    : m_rng(rng)
    , m_style(drawStyle(rng, forceSmallSizes))
    , m_locals{"torch", "nn", "F", "self", "r", "r2", "r3", "ext"}
    , m_argumentNames{"self", "torch", "nn", "F"}
    , m_constants{"torch", "nn", "F", "Model", "ModelNew", "source", "ext"}
{
}

std::string Task::uniqueName(std::set<std::string> &taken, std::string_view names)
{
    const bool isOdd = m_style.usesOddNames && m_rng.chance(40);
    const std::string first = !isOdd ? m_rng.pick(names)
        : m_rng.chance(50)           ? m_rng.pick(oddNames)
                                     : inventedName(m_rng);
    std::string name = first;
    for (int number = 2; !taken.insert(name).second; ++number)
        name = first + std::to_string(number);
    return name;
}

std::string Task::uniqueConstant(std::string name)
{
    const std::string first = name;
    for (int number = 2; !m_constants.insert(name).second; ++number)
        name = first + std::to_string(number);
    return name;
}

Dim Task::newDim(std::string_view roles, int64_t size)
{
    m_symbols.push_back({std::string(roles), size, {}, {}});
    return {size, int(m_symbols.size()) - 1};
}

int64_t Task::pickSize(std::string_view small, std::string_view large)
{
    const int64_t size = std::stoll(m_rng.pick(m_style.smallSizes ? small : large));
    if (size < 8 || !m_rng.chance(20))
        return size;
    // Any number will do; even ones stay even, because halves are taken.
    const int64_t other = size - size / 4 + int64_t(m_rng.below(int(size / 2)));
    return size % 2 == 0 ? other / 2 * 2 : other;
}

Value Task::addInput(std::string_view names, Shape shape, std::string_view fill)
{
    Value value;
    value.text = uniqueName(m_locals, names);
    if (m_style.namesInputsLocally) // get_inputs would hide a constant of that name
        m_constants.insert(value.text);
    value.shape = std::move(shape);
    m_inputs.push_back({value.text, std::string(fill), value.shape});
    return value;
}

std::string Task::addNumberInput(std::string_view names, std::string_view value)
{
    std::string name = uniqueName(m_locals, names);
    if (m_style.namesInputsLocally)
        m_constants.insert(name);
    m_inputs.push_back({name, std::string(value), {}});
    return name;
}

void Task::begin(std::string_view names, Shape shape, std::string_view fill)
{
    m_current = addInput(names, std::move(shape), fill);
    m_answerVariable = m_current.text;
}

std::string Task::operand(Precedence needed) const
{
    return m_current.precedence < needed ? "(" + m_current.text + ")" : m_current.text;
}

std::string Task::named()
{
    if (isIdentifier(m_current.text))
        return m_current.text;
    const bool reuses = m_style.reassigns && !m_inputs.empty();
    const std::string name = reuses ? m_inputs.front().name : uniqueName(m_locals, "y|h|z|out|t|u|x|result|feat|o");
    m_forwardLines.push_back(name + " = " + m_current.text);
    m_current.text = name;
    m_current.precedence = Precedence::Atom;
    return name;
}

void Task::set(std::string text, Precedence precedence, Shape shape)
{
    m_current.text = std::move(text);
    m_current.precedence = precedence;
    m_current.shape = std::move(shape);
    m_current.isPositive = false;
}

std::string Task::assignLocal(std::string_view names, std::string_view text)
{
    std::string name = uniqueName(m_locals, names);
    m_forwardLines.push_back(name + " = " + std::string(text));
    return name;
}

std::pair<std::string, std::string> Task::assignPair(const Local &first, const Local &second, PairStyle style)
{
    if (style == PairStyle::TwoLines) {
        std::string name = assignLocal(first.names, first.text);
        return {name, assignLocal(second.names, second.text)};
    }
    std::string name = uniqueName(m_locals, first.names);
    std::string other = uniqueName(m_locals, second.names);
    m_forwardLines.push_back(name + ", " + other + " = (" + first.text + ", " + second.text + ")");
    return {name, other};
}

std::string Task::keepAnswer()
{
    flushElementwise();
    ++m_numKept;
    std::string answer = m_numKept == 1 ? "r" : "r" + std::to_string(m_numKept);
    m_answerLines.push_back(answer + " = " + m_answerVariable);
    return answer;
}

Task::Kept Task::keep()
{
    const std::string name = named();
    const bool willBeOverwritten = m_style.reassigns && name == m_inputs.front().name;
    Kept kept;
    kept.module = willBeOverwritten ? assignLocal("residual|identity|shortcut|skip|res|original", name) : name;
    kept.answer = keepAnswer();
    kept.shape = m_current.shape;
    return kept;
}

std::string Task::sizeArgument(Dim &dim, std::string_view names)
{
    if (dim.symbol < 0)
        dim = newDim(names, dim.size);
    Symbol &symbol = m_symbols[size_t(dim.symbol)];
    if (!symbol.argument.empty())
        return symbol.argument;
    if (m_style.smallSizes && m_rng.chance(8)) { // a large size must be one that can be shrunk for a check
        symbol.argument = std::to_string(symbol.size);
        return symbol.argument;
    }
    symbol.argument = uniqueName(m_argumentNames, std::string(names.substr(0, names.find(';'))));
    m_arguments.push_back({symbol.argument, dim.symbol, {}, {}, false});
    return symbol.argument;
}

Dim Task::newSizeArgument(std::string_view names, int64_t size)
{
    Dim dim = newDim(names, size);
    sizeArgument(dim, names);
    return dim;
}

std::string Task::hyper(std::string_view names, std::string_view literal, std::string_view otherDefault)
{
    if (!m_rng.chance(m_style.hasLongSignature ? 90 : 40))
        return std::string(literal);
    Argument argument;
    argument.name = uniqueName(m_argumentNames, names);
    argument.literal = literal;
    if (m_rng.chance(m_style.hasLongSignature ? 90 : 20)) {
        argument.isOmitted = m_rng.chance(55);
        const bool differs = !argument.isOmitted && !otherDefault.empty();
        argument.defaultText = differs ? otherDefault : literal;
    }
    m_arguments.push_back(argument);
    return argument.name;
}

std::string Task::requiredArgument(std::string_view names, std::string_view value)
{
    const std::string name = uniqueName(m_argumentNames, names);
    m_arguments.push_back({name, -1, std::string(value), {}, false});
    return name;
}

std::string Task::setting(std::string_view names, std::string_view literal)
{
    if (m_rng.chance(m_style.hasLongSignature ? 20 : 55))
        return std::string(literal);
    const std::string text = hyper(names, literal);
    return attribute(
        isIdentifier(text) && m_attributes.count(text) == 0 && m_rng.chance(95) ? std::string_view(text) : names, text);
}

std::string Task::attribute(std::string_view names, std::string_view text)
{
    std::string name = uniqueName(m_attributes, names);
    const bool isQualified = text.starts_with("nn.") && m_rng.chance(5);
    m_constructorLines.push_back("self." + name + " = " + (isQualified ? "torch." : "") + std::string(text));
    return "self." + name;
}

std::string Task::buffer(std::string_view names, std::string_view text)
{
    std::string name = uniqueName(m_attributes, names);
    std::string value(text);
    if (m_rng.chance(55)) {
        value = uniqueName(m_argumentNames, name);
        m_constructorLines.push_back(value + " = " + std::string(text));
    }
    const std::string ending = m_rng.chance(15) ? ", persistent=False)" : ")";
    m_constructorLines.push_back("self.register_buffer('" + name + "', " + value + ending);
    return "self." + name;
}

std::string Task::withFunctional(std::string form)
{
    if (form.find("F.") == std::string::npos)
        return form;
    if (m_rng.chance(15))
        replaceAll(form, "F.", "torch.nn.functional.");
    else
        m_needsFunctional = true;
    return form;
}

void Task::addIdleAttribute()
{
    Shape &shape = m_inputs.front().shape;
    std::string text;
    if (!m_arguments.empty() && m_rng.chance(60)) {
        text = m_arguments[size_t(m_rng.below(int(m_arguments.size())))].name;
    } else {
        if (shape.size() < 2 || shape[1].symbol < 0)
            return;
        text = sizeArgument(shape[1], "num_features|features|dim|in_features|input_size|channels");
    }
    if (!isIdentifier(text) || !m_attributes.insert(text).second)
        return;
    const auto at = m_rng.chance(70) ? m_constructorLines.begin() : m_constructorLines.end();
    m_constructorLines.insert(at, "self." + text + " = " + text);
}

std::string Task::variable()
{
    flushElementwise();
    return m_answerVariable;
}

void Task::addAnswerLine(std::string_view call)
{
    m_answerLines.push_back("x = " + std::string(call));
    m_answerVariable = "x";
    m_current.isComputed = true;
}

void Task::apply(const Kernel &kernel, std::string_view arguments)
{
    flushElementwise();
    run(kernel, m_answerVariable + std::string(arguments));
}

void Task::run(const Kernel &kernel, std::string_view arguments)
{
    flushElementwise();
    addKernel(kernel);
    addAnswerLine("ext." + std::string(kernel.name) + "_cuda(" + std::string(arguments) + ")");
}

void Task::view(std::string_view text)
{
    flushElementwise();
    addAnswerLine(m_answerVariable + std::string(text));
}

void Task::elementwise(const ElementwiseStep &step)
{
    m_pending.add(step);
    m_current.isComputed = true;
}

void Task::finish()
{
    flushElementwise();
}

void Task::countStep(std::string_view operation)
{
    m_operations.emplace_back(operation);
}

void Task::flushElementwise()
{
    if (m_pending.isEmpty())
        return;
    ElementwiseKernel kernel = m_pending.kernel();
    const std::string arguments = m_pending.callArguments();
    m_pending.clear();
    bool isNew = true;
    for (const ElementwiseKernel &other : m_elementwiseKernels) {
        if (other.name != kernel.name)
            continue;
        isNew = other.text != kernel.text;
        if (isNew)
            kernel.rename(kernel.name + std::to_string(m_elementwiseKernels.size() + 1));
    }
    addAnswerLine("ext." + kernel.name + "_cuda(" + m_answerVariable + arguments + ")");
    if (!isNew)
        return;
    m_elementwiseKernels.push_back(std::move(kernel));
    m_kernelOrder.push_back(-int(m_elementwiseKernels.size()));
}

void Task::addKernel(const Kernel &kernel)
{
    const bool isKnown = std::any_of(m_kernels.begin(), m_kernels.end(),
                                     [&](const Kernel &other) { return other.name == kernel.name; });
    if (isKnown)
        return;
    m_kernels.push_back(kernel);
    m_kernelOrder.push_back(int(m_kernels.size()) - 1);
}

} // namespace dice::corpus
