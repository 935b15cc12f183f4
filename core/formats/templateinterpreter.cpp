#include "templateinterpreter.h"

#include <algorithm>
#include <optional>

namespace dice::formats {

namespace {

using Json = TemplateValue::Json;
using Kind = Expression::Kind;

class Interpreter
{
public:
    explicit Interpreter(const Json &variables)
    {
        m_scopes.emplace_back();
        for (const auto &[name, value] : variables.items())
            m_scopes.back()[name] = value;
    }

    std::string run(const std::vector<Statement> &statements)
    {
        execute(statements);
        return std::move(m_output);
    }

private:
    enum class Flow { Next, Break, Continue };

    Flow execute(const std::vector<Statement> &statements);
    Flow executeOne(const Statement &statement);
    Flow executeFor(const Statement &statement);
    void executeSet(const Statement &statement);
    void bindLoop(const Statement &statement, const std::vector<TemplateValue> &items, std::size_t index);
    void bindNames(const Statement &statement, const TemplateValue &item);
    void countStep(int line);
    TemplateValue charged(TemplateValue value, int line);

    TemplateValue evaluate(const Expression &expression);
    TemplateValue evaluateUnary(const Expression &expression);
    TemplateValue evaluateBinary(const Expression &expression);
    TemplateValue evaluateArithmetic(const Expression &expression, const TemplateValue &left,
                                     const TemplateValue &right);
    bool isLess(const TemplateValue &left, const TemplateValue &right, int line) const;
    TemplateValue evaluateCollection(const Expression &expression);
    TemplateValue evaluateSlice(const Expression &expression);
    TemplateValue evaluateCall(const Expression &expression);
    TemplateValue lookUp(const std::string &name) const;

    std::vector<TemplateValue::Variables> m_scopes;
    std::string m_output;
    std::int64_t m_steps = 0;
    std::size_t m_createdBytes = 0;
};

void Interpreter::countStep(int line)
{
    constexpr std::int64_t maxSteps = 1'000'000;
    if (++m_steps > maxSteps || m_output.size() > maxTemplateTextBytes)
        failTemplate(ErrorCode::Unsupported, "more work than a prompt can need", line);
}

// Values that a template makes count against a budget: nothing that doubles itself gets far.
TemplateValue Interpreter::charged(TemplateValue value, int line)
{
    constexpr std::size_t maxCreatedBytes = std::size_t{256} << 20;
    m_createdBytes += sizeBytesOf(value);
    if (m_createdBytes > maxCreatedBytes)
        failTemplate(ErrorCode::Unsupported, "more memory than a prompt can need", line);
    return value;
}

Interpreter::Flow Interpreter::execute(const std::vector<Statement> &statements)
{
    for (const Statement &statement : statements) {
        if (const Flow flow = executeOne(statement); flow != Flow::Next)
            return flow;
    }
    return Flow::Next;
}

Interpreter::Flow Interpreter::executeOne(const Statement &statement)
{
    countStep(statement.line);
    switch (statement.kind) {
    case Statement::Kind::Text:
        m_output += statement.text;
        return Flow::Next;
    case Statement::Kind::Output:
        m_output += textOf(evaluate(*statement.expression), statement.line);
        return Flow::Next;
    case Statement::Kind::If:
        return execute(isTrue(evaluate(*statement.expression)) ? statement.body : statement.otherwise);
    case Statement::Kind::For:
        return executeFor(statement);
    case Statement::Kind::Set:
        executeSet(statement);
        return Flow::Next;
    case Statement::Kind::Break:
        return Flow::Break;
    case Statement::Kind::Continue:
        return Flow::Continue;
    }
    return Flow::Next;
}

Interpreter::Flow Interpreter::executeFor(const Statement &statement)
{
    std::vector<TemplateValue> items = itemsOf(evaluate(*statement.expression), statement.line);
    if (statement.condition) { // filters before the loop counts
        std::erase_if(items, [&](const TemplateValue &item) {
            m_scopes.emplace_back();
            bindNames(statement, item);
            const bool stays = isTrue(evaluate(*statement.condition));
            m_scopes.pop_back();
            return !stays;
        });
    }
    if (items.empty())
        return execute(statement.otherwise);
    for (std::size_t i = 0; i < items.size(); ++i) {
        m_scopes.emplace_back(); // what an iteration sets is gone in the next
        bindLoop(statement, items, i);
        const Flow flow = execute(statement.body);
        m_scopes.pop_back();
        if (flow == Flow::Break)
            break;
    }
    return Flow::Next;
}

void Interpreter::bindNames(const Statement &statement, const TemplateValue &item)
{
    if (statement.names.size() == 1) {
        m_scopes.back()[statement.names.front()] = item;
        return;
    }
    const std::vector<TemplateValue> parts = itemsOf(item, statement.line);
    if (parts.size() != statement.names.size())
        failTemplate(ErrorCode::InvalidData, "a loop whose items do not have that many parts", statement.line);
    for (std::size_t i = 0; i < parts.size(); ++i)
        m_scopes.back()[statement.names[i]] = parts[i];
}

void Interpreter::bindLoop(const Statement &statement, const std::vector<TemplateValue> &items, std::size_t index)
{
    TemplateValue loop;
    loop.kind = TemplateValue::Kind::Namespace;
    loop.variables = std::make_shared<TemplateValue::Variables>(TemplateValue::Variables{
        {"index", Json(index + 1)},
        {"index0", Json(index)},
        {"revindex", Json(items.size() - index)},
        {"revindex0", Json(items.size() - index - 1)},
        {"length", Json(items.size())},
        {"first", Json(index == 0)},
        {"last", Json(index + 1 == items.size())},
        {"previtem", index == 0 ? TemplateValue() : items[index - 1]},
        {"nextitem", index + 1 == items.size() ? TemplateValue() : items[index + 1]},
    });
    m_scopes.back()["loop"] = std::move(loop);
    bindNames(statement, items[index]);
}

void Interpreter::executeSet(const Statement &statement)
{
    TemplateValue value;
    if (statement.expression) {
        value = evaluate(*statement.expression);
    } else {
        std::string outer = std::exchange(m_output, {});
        m_scopes.emplace_back();
        execute(statement.body);
        m_scopes.pop_back();
        value = Json(std::exchange(m_output, std::move(outer)));
    }
    if (statement.attribute.empty()) {
        m_scopes.back()[statement.names.front()] = std::move(value);
        return;
    }
    const TemplateValue target = lookUp(statement.names.front());
    if (target.kind != TemplateValue::Kind::Namespace)
        failTemplate(ErrorCode::InvalidData, "an attribute set on something that is no namespace", statement.line);
    (*target.variables)[statement.attribute] = std::move(value);
}

TemplateValue Interpreter::lookUp(const std::string &name) const
{
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end())
            return found->second;
    }
    return {};
}

TemplateValue Interpreter::evaluate(const Expression &expression)
{
    countStep(expression.line);
    switch (expression.kind) {
    case Kind::String:
        return Json(expression.text);
    case Kind::Integer:
        return Json(expression.integer);
    case Kind::Boolean:
        return Json(expression.integer != 0);
    case Kind::None:
        return Json(nullptr);
    case Kind::List:
    case Kind::Dict:
        return charged(evaluateCollection(expression), expression.line);
    case Kind::Name:
        return lookUp(expression.text);
    case Kind::Attribute:
        return memberOf(evaluate(*expression.children[0]), Json(expression.text), expression.line);
    case Kind::Item:
        return memberOf(evaluate(*expression.children[0]), evaluate(*expression.children[1]), expression.line);
    case Kind::Slice:
        return charged(evaluateSlice(expression), expression.line);
    case Kind::Call:
    case Kind::Method:
    case Kind::Filter:
    case Kind::Test:
        return charged(evaluateCall(expression), expression.line);
    case Kind::Unary:
        return evaluateUnary(expression);
    case Kind::Binary:
        return charged(evaluateBinary(expression), expression.line);
    case Kind::Conditional:
        if (isTrue(evaluate(*expression.children[1])))
            return evaluate(*expression.children[0]);
        return expression.children[2] ? evaluate(*expression.children[2]) : TemplateValue();
    }
    return {};
}

TemplateValue Interpreter::evaluateCollection(const Expression &expression)
{
    Json result = expression.kind == Kind::List ? Json::array() : Json::object();
    const auto dataOf = [&](const ExpressionPtr &child) {
        TemplateValue value = evaluate(*child);
        if (value.kind != TemplateValue::Kind::Data)
            failTemplate(ErrorCode::Unsupported, "something undefined in a list or an object", expression.line);
        return std::move(value.data);
    };
    for (std::size_t i = 0; i < expression.children.size(); ++i) {
        if (expression.kind == Kind::List) {
            result.push_back(dataOf(expression.children[i]));
            continue;
        }
        const Json key = dataOf(expression.children[i]);
        if (!key.is_string())
            failTemplate(ErrorCode::Unsupported, "an object whose key is no text", expression.line);
        result[key.get<std::string>()] = dataOf(expression.children[++i]);
    }
    return result;
}

TemplateValue Interpreter::evaluateSlice(const Expression &expression)
{
    const auto bound = [&](std::size_t child) -> std::optional<std::int64_t> {
        if (!expression.children[child])
            return std::nullopt;
        const TemplateValue value = evaluate(*expression.children[child]);
        if (!value.isInteger())
            failTemplate(ErrorCode::InvalidData, "a slice whose limit is no whole number", expression.line);
        return value.data.get<std::int64_t>();
    };
    return sliceOf(evaluate(*expression.children[0]), {bound(1), bound(2), bound(3)}, expression.line);
}

TemplateValue Interpreter::evaluateCall(const Expression &expression)
{
    TemplateArguments arguments;
    for (const ExpressionPtr &child : expression.children)
        arguments.push_back(evaluate(*child));
    NamedTemplateArguments named;
    for (const auto &[name, child] : expression.named)
        named[name] = evaluate(*child);
    if (expression.kind != Kind::Call) {
        const TemplateValue subject = std::move(arguments.front());
        arguments.erase(arguments.begin());
        const TemplateCall call{expression.text, arguments, named, expression.line};
        if (expression.kind == Kind::Filter)
            return applyFilter(subject, call);
        return expression.kind == Kind::Test ? TemplateValue(Json(applyTest(subject, call)))
                                             : callMethod(subject, call);
    }
    if (expression.text == "namespace" && arguments.empty()) {
        TemplateValue space;
        space.kind = TemplateValue::Kind::Namespace;
        space.variables = std::make_shared<TemplateValue::Variables>(named.begin(), named.end());
        return space;
    }
    if (expression.text == "raise_exception" && arguments.size() == 1) {
        throw TemplateFailure{
            makeError(ErrorCode::InvalidArgument,
                      "the model's chat template refuses these messages: " + textOf(arguments[0], expression.line))};
    }
    failTemplate(ErrorCode::Unsupported, "the function \"" + expression.text + "\"", expression.line);
}

TemplateValue Interpreter::evaluateUnary(const Expression &expression)
{
    const TemplateValue operand = evaluate(*expression.children[0]);
    if (expression.text == "not")
        return Json(!isTrue(operand));
    if (!operand.isInteger())
        failTemplate(ErrorCode::Unsupported, "a sign before something that is no whole number", expression.line);
    const auto number = operand.data.get<std::int64_t>();
    return Json(expression.text == "-" ? -number : number);
}

TemplateValue Interpreter::evaluateBinary(const Expression &expression)
{
    const std::string &text = expression.text;
    TemplateValue left = evaluate(*expression.children[0]);
    if (text == "and")
        return isTrue(left) ? evaluate(*expression.children[1]) : left;
    if (text == "or")
        return isTrue(left) ? left : evaluate(*expression.children[1]);
    const TemplateValue right = evaluate(*expression.children[1]);
    const int line = expression.line;
    if (text == "==" || text == "!=")
        return Json(areEqual(left, right) == (text == "=="));
    if (text == "in" || text == "not in")
        return Json(contains(right, left, line) == (text == "in"));
    if (text == "<" || text == ">=")
        return Json(isLess(left, right, line) == (text == "<"));
    if (text == ">" || text == "<=")
        return Json(isLess(right, left, line) == (text == ">"));
    if (text == "~")
        return Json(textOf(left, line) + textOf(right, line));
    return evaluateArithmetic(expression, left, right);
}

bool Interpreter::isLess(const TemplateValue &left, const TemplateValue &right, int line) const
{
    const bool areTexts = left.isString() && right.isString();
    const bool areNumbers = left.kind == TemplateValue::Kind::Data && right.kind == TemplateValue::Kind::Data
        && left.data.is_number() && right.data.is_number();
    if (!areTexts && !areNumbers)
        failTemplate(ErrorCode::InvalidData, "an order between things that have none", line);
    return left.data < right.data;
}

TemplateValue Interpreter::evaluateArithmetic(const Expression &expression, const TemplateValue &left,
                                              const TemplateValue &right)
{
    const std::string &text = expression.text;
    if (text == "+" && left.isString() && right.isString())
        return Json(left.data.get_ref<const std::string &>() + right.data.get_ref<const std::string &>());
    if (text == "+" && left.kind == TemplateValue::Kind::Data && right.kind == TemplateValue::Kind::Data
        && left.data.is_array() && right.data.is_array()) {
        Json list = left.data;
        list.insert(list.end(), right.data.begin(), right.data.end());
        return list;
    }
    if (!left.isInteger() || !right.isInteger()) {
        failTemplate(ErrorCode::InvalidData, "\"" + text + "\" between things that it cannot join", expression.line);
    }
    const auto a = left.data.get<std::int64_t>();
    const auto b = right.data.get<std::int64_t>();
    std::int64_t result = 0;
    const bool overflows = (text == "+" && __builtin_add_overflow(a, b, &result))
        || (text == "-" && __builtin_sub_overflow(a, b, &result))
        || (text == "*" && __builtin_mul_overflow(a, b, &result));
    if (overflows)
        failTemplate(ErrorCode::Unsupported, "a number of that size", expression.line);
    if (text == "//" || text == "%") { // rounds down, as Python does
        if (b == 0 || b == -1)
            failTemplate(ErrorCode::Unsupported, "a division by " + std::to_string(b), expression.line);
        const std::int64_t quotient = a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
        result = text == "//" ? quotient : a - quotient * b;
    } else if (text == "/") {
        failTemplate(ErrorCode::Unsupported, "a division with fractions", expression.line);
    }
    return Json(result);
}

} // namespace

std::string interpretTemplate(const std::vector<Statement> &statements, const TemplateValue::Json &variables)
{
    return Interpreter(variables).run(statements);
}

} // namespace dice::formats
