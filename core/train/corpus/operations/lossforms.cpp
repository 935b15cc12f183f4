#include "lossforms.h"

#include "core/train/corpus/text.h"

namespace dice::corpus {

LossNames lossNames(Rng &rng)
{
    constexpr LossNames names[]
        = {{"predictions", "targets"}, {"predictions", "targets"}, {"pred", "target"}, {"x", "y"},
           {"input", "target"},        {"output", "label"},        {"a", "b"},         {"logits", "targets"},
           {"y_pred", "y_true"}};
    return names[rng.below(9)];
}

Dim lossRows(Task &task)
{
    return task.newDim("batch_size|batch|num_samples|n;N|B|BATCH",
                       task.pickSize("4|8|12|16|20|32|48|64", "16|32|64|128|256|1024|4096|32768"));
}

Dim lossColumns(Task &task)
{
    return task.newDim("dim|num_features|features|embedding_dim|input_size|d;D|C|F|DIM",
                       task.pickSize("10|16|20|24|32|48|60|64|100", "64|128|256|512|1024|4096|8192|32768"));
}

void setLoss(Task &task, std::string form, const std::string &tensors)
{
    if (form.rfind("nn.", 0) == 0) {
        const std::string a = task.attribute("loss_fn|loss|criterion|loss_fn|crit", form);
        form = a + "(" + tensors + ")";
    }
    form = task.withFunctional(std::move(form));
    task.set(form, Precedence::Atom, {});
}

std::string lossNumber(Task &task, std::string &form, std::string_view names, std::string_view values,
                       std::string_view standard)
{
    if (form.find("{0}") == std::string::npos)
        return std::string(standard);
    std::string number = task.rng().pick(values);
    if (form.rfind("nn.", 0) == 0) {
        const std::string text = task.hyper(names, number);
        replaceAll(form, "{0}", text);
        return text == number ? number : "@" + std::string(names.substr(0, names.find('|')));
    }
    number = task.setting(names, number);
    replaceAll(form, "{0}", number);
    return number;
}

std::string numberCall(const Task &task, const std::string &number)
{
    if (number.empty())
        return {};
    if (number[0] != '@')
        return ", " + number;
    const std::string &text = task.current().text;
    return ", " + text.substr(0, text.find('(')) + "." + number.substr(1);
}

} // namespace dice::corpus
