#include "unary.h"

#include "core/train/corpus/forms.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

void emitModule(Task &task, const UnaryRow &row, std::string form, std::vector<std::string> &numbers)
{
    const UnaryNumber *rows[] = {&row.first, &row.second};
    std::vector<bool> isPassed(2, false);
    for (size_t k = 0; k < numbers.size(); ++k) {
        const std::string place = "{" + std::to_string(k) + "}";
        if (form.find(place) == std::string::npos)
            continue;
        const std::string text = task.hyper(rows[k]->names, numbers[k]);
        isPassed[k] = text != numbers[k];
        replaceAll(form, place, text);
    }
    const std::string names = "act|activation|act|activation|nonlinearity|act_fn|fn|" + std::string(row.name);
    const std::string attribute = task.attribute(names, form);
    for (size_t k = 0; k < numbers.size(); ++k)
        if (isPassed[k])
            numbers[k] = attribute + "." + std::string(rows[k]->names.substr(0, rows[k]->names.find('|')));
    task.setCall(attribute + "(" + task.operand() + ")");
}

// What people write, or a number nobody would guess. Bounds stay in order.
std::string drawNumber(Rng &rng, const UnaryRow &row, const UnaryNumber &number)
{
    const std::string usual = rng.pick(number.values);
    const bool isPlain = usual.find('.') != std::string::npos && usual.find_first_of("-e") == std::string::npos;
    const bool isBound = !row.second.names.empty() && (row.flags & Bounds) != 0;
    const double value = std::stod(usual);
    return isPlain && !isBound && value >= 0.05 && rng.chance(25) ? rng.decimalNear(value) : usual;
}

void emitUnary(Task &task, const UnaryRow &row)
{
    std::string form = task.rng().pick(row.forms);
    // In place on an input would change what the caller owns.
    if (form == "nn.ReLU(inplace=True)" && !task.mayOverwrite())
        form = "nn.ReLU()";
    std::vector<std::string> numbers;
    for (const UnaryNumber *number : {&row.first, &row.second})
        if (!number->names.empty())
            numbers.push_back(drawNumber(task.rng(), row, *number));
    const UnaryNumber *rows[] = {&row.first, &row.second};
    for (size_t k = 0; k < numbers.size(); ++k)
        if (form.find("{" + std::to_string(k) + "}") == std::string::npos)
            numbers[k] = rows[k]->standard;
    if (form.rfind("nn.", 0) == 0) {
        emitModule(task, row, form, numbers);
    } else {
        form = task.withFunctional(std::move(form));
        const Precedence precedence = takePrecedence(form);
        insertValue(task, form, precedence);
        for (size_t k = 0; k < numbers.size(); ++k) {
            const std::string place = "{" + std::to_string(k) + "}";
            if (form.find(place) == std::string::npos)
                continue;
            numbers[k] = task.setting(rows[k]->names, numbers[k]);
            replaceAll(form, place, numbers[k]);
        }
        const bool isLarge = task.current().isLarge;
        task.set(form, precedence, task.shape());
        task.current().isLarge = isLarge;
    }
    task.elementwise({row.name, row.code, numbers, {}});
    task.current().isPositive = (row.flags & GivesPositive) != 0;
    if ((row.flags & Grows) != 0)
        task.current().isLarge = true;
    if ((row.flags & Bounds) != 0)
        task.current().isLarge = false;
}

} // namespace

Operation unaryOperation(const UnaryRow &row, std::string_view family, int weight)
{
    Operation operation;
    operation.name = row.name;
    operation.family = family;
    operation.weight = weight;
    operation.start = (row.flags & NeedsPositive) != 0 ? Operation::Start::Positive : Operation::Start::Tensor;
    operation.emit = [row](Task &task) { emitUnary(task, row); };
    operation.accepts = [flags = row.flags](const Task &task) {
        const Value &value = task.current();
        return !((flags & NeedsPositive) != 0 && !value.isPositive) && !((flags & NeedsSmall) != 0 && value.isLarge)
            && !((flags & Jumps) != 0 && value.isComputed);
    };
    return operation;
}

} // namespace dice::corpus
