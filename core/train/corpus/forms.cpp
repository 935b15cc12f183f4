#include "forms.h"

#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

int countPlaces(std::string_view text, std::string_view place)
{
    int found = 0;
    for (size_t at = text.find(place); at != std::string_view::npos; at = text.find(place, at + 1))
        ++found;
    return found;
}

} // namespace

Precedence takePrecedence(std::string &form)
{
    if (form.size() < 2 || form[1] != ':')
        return Precedence::Atom;
    const char mark = form[0];
    form.erase(0, 2);
    switch (mark) {
    case 'T':
        return Precedence::Term;
    case 'A':
        return Precedence::Arithmetic;
    case 'F':
        return Precedence::Factor;
    default:
        return Precedence::Power;
    }
}

void insertValue(Task &task, std::string &form, Precedence precedence)
{
    int uses = 0;
    for (const char *place : {"{x}", "{y}", "{a}", "{f}", "{m}"})
        uses += countPlaces(form, place);
    if (uses > 1)
        task.named();
    // The base of ** must bind tighter than **.
    const Precedence left = precedence == Precedence::Power ? Precedence::Atom : precedence;
    const Precedence right = precedence == Precedence::Arithmetic ? Precedence::Term : Precedence::Factor;
    const std::string atLeft = task.operand(left);
    const std::string atRight = task.operand(right);
    const std::string factor = task.operand(Precedence::Term);
    const std::string negated = task.operand(Precedence::Factor);
    const std::string bare = task.operand();
    replaceAll(form, "{x}", atLeft);
    replaceAll(form, "{y}", atRight);
    replaceAll(form, "{m}", factor);
    replaceAll(form, "{f}", negated);
    replaceAll(form, "{a}", bare);
}

namespace {

// "norm,n<-torch.norm({a});;{a} / {v}": the first part becomes a line of its own.
std::string takeLocals(Task &task, std::string form)
{
    for (size_t end = form.find(";;"); end != std::string::npos; end = form.find(";;")) {
        const size_t arrow = form.find("<-");
        std::string value = form.substr(arrow + 2, end - arrow - 2);
        replaceAll(value, "{a}", task.named());
        std::string names = form.substr(0, arrow);
        const std::string place = "{" + names.substr(0, names.find(',')) + "}";
        names.erase(0, names.find(',') + 1);
        replaceAll(names, ",", "|");
        const std::string name = task.assignLocal(names, value);
        form.erase(0, end + 2);
        replaceAll(form, place, name);
    }
    return form;
}

} // namespace

std::string writeForm(Task &task, std::string form, Shape shape, std::string_view attributeNames)
{
    form = takeLocals(task, std::move(form));
    const bool isLarge = task.current().isLarge;
    std::string attribute;
    if (form.rfind("nn.", 0) == 0) {
        attribute = task.attribute(attributeNames, form);
        task.set(attribute + "(" + task.operand() + ")", Precedence::Atom, std::move(shape));
    } else {
        form = task.withFunctional(std::move(form));
        const Precedence precedence = takePrecedence(form);
        insertValue(task, form, precedence);
        task.set(std::move(form), precedence, std::move(shape));
    }
    task.current().isLarge = isLarge;
    return attribute;
}

} // namespace dice::corpus
