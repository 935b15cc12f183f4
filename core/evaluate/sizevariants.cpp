#include "core/evaluate/sizevariants.h"

#include "core/evaluate/randomseed.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace dice::evaluate {

namespace {

constexpr std::int64_t largestInput = 120000; // elements of a variant: an emulated call stays well under a second
constexpr std::int64_t wantedInput = 40000;
constexpr std::int64_t smallestLastAxis = 5; // below, a constant is more likely a kernel size or a channel count
constexpr double wantedSeconds = 0.2; // of the reference's call at the larger size, if it grows as the inputs do
constexpr int maxProbes = 10;

void collectTensors(const Value &value, std::vector<const TensorLayout *> &found)
{
    if (value.kind == ValueKind::Tensor)
        found.push_back(&value.tensor);
    for (const Value &item : value.items)
        collectTensors(item, found);
}

// Which axes of the inputs a constant moves.
struct Effect
{
    bool movesFirst = false;
    bool movesLast = false;
    bool movesOther = false;
    bool isProportional = true; // sizes grow exactly as the constant does
};

Effect effectOf(const Value &before, const Value &after, std::int64_t oldValue, std::int64_t newValue)
{
    std::vector<const TensorLayout *> old, now;
    collectTensors(before, old);
    collectTensors(after, now);
    Effect effect;
    if (old.size() != now.size())
        return {false, false, true, false};
    for (std::size_t i = 0; i < old.size(); ++i) {
        const auto &oldShape = old[i]->shape;
        const auto &newShape = now[i]->shape;
        if (oldShape.size() != newShape.size())
            return {false, false, true, false};
        for (std::size_t axis = 0; axis < oldShape.size(); ++axis) {
            if (oldShape[axis] == newShape[axis])
                continue;
            const bool isFirst = axis == 0;
            const bool isLast = axis + 1 == oldShape.size();
            (isFirst ? effect.movesFirst : isLast ? effect.movesLast : effect.movesOther) = true;
            effect.isProportional = effect.isProportional && oldShape[axis] * newValue == newShape[axis] * oldValue;
        }
    }
    return effect;
}

class Explorer
{
public:
    Explorer(ReferenceSession &reference, const Json &constants)
        : m_reference(reference)
    {
        for (const auto &[name, value] : constants.items())
            if (value.is_number_integer() && value.get<std::int64_t>() >= 2)
                m_constants[name] = value.get<std::int64_t>();
    }

    std::vector<SizeVariant> explore()
    {
        std::vector<SizeVariant> variants;
        m_base = m_reference.inputs(secretSeed());
        const Clock::time_point started = Clock::now();
        if (!m_base || !m_reference.forward(*m_base))
            return variants;
        m_callSeconds = std::chrono::duration<double>(Clock::now() - started).count();
        std::string batch, last;
        for (const auto &[name, value] : m_constants) {
            if (++m_numProbes > maxProbes || Clock::now() > m_end)
                break;
            const std::optional<Effect> effect = probe(name, value);
            if (!effect)
                continue;
            if (effect->movesFirst && !effect->movesLast && !effect->movesOther && batch.empty())
                batch = name;
            else if (effect->movesLast && value >= smallestLastAxis && last.empty())
                last = name;
        }
        if (!batch.empty())
            variants.push_back(larger(batch));
        if (!last.empty())
            variants.push_back(odd(last));
        if (!batch.empty() && last.empty() && m_constants[batch] > 2)
            variants.push_back(odd(batch));
        restore();
        return variants;
    }

private:
    std::optional<Effect> probe(const std::string &name, std::int64_t value)
    {
        const std::int64_t other = value + 1;
        if (!construct(name, other)) {
            construct(name, value);
            return std::nullopt;
        }
        const Outcome<CallValues> inputs = m_reference.inputs(secretSeed());
        std::optional<Effect> effect;
        if (inputs && m_reference.forward(*inputs))
            effect = effectOf(m_base->root, inputs->root, value, other);
        construct(name, value);
        if (effect && (!effect->isProportional || !(effect->movesFirst || effect->movesLast)))
            return std::nullopt;
        return effect;
    }

    bool construct(const std::string &name, std::int64_t value)
    {
        Json constants = Json::object();
        constants[name] = value;
        return static_cast<bool>(m_reference.construct(1, constants));
    }

    void restore()
    {
        Json all = Json::object();
        for (const auto &[name, value] : m_constants)
            all[name] = value;
        m_reference.construct(1, all);
    }

    SizeVariant larger(const std::string &name) const
    {
        const std::int64_t value = m_constants.at(name);
        const std::int64_t elements = std::max<std::int64_t>(numElements(m_base->root), 1);
        const std::int64_t room = std::max<std::int64_t>(largestInput / elements, 1);
        const auto affordable = static_cast<std::int64_t>(std::min(wantedSeconds / m_callSeconds, 1e6));
        const std::int64_t wanted = std::min(std::max<std::int64_t>(wantedInput / elements, 3), affordable);
        const std::int64_t factor = std::min(std::max<std::int64_t>(wanted, 2), room);
        return variant(name, factor > 1 ? value * factor + 1 : value + 1);
    }

    SizeVariant odd(const std::string &name) const
    {
        const std::int64_t value = m_constants.at(name);
        const std::int64_t smaller = value % 2 == 0 ? value - 1 : value - 2;
        return variant(name, std::max<std::int64_t>(smaller, 1));
    }

    // The other constants go back to what they were.
    SizeVariant variant(const std::string &name, std::int64_t value) const
    {
        SizeVariant found;
        for (const auto &[other, original] : m_constants)
            found.constants[other] = original;
        found.constants[name] = value;
        found.name = name + " = " + std::to_string(value) + " (" + std::to_string(m_constants.at(name)) + " as given)";
        found.originals.push_back(m_constants.at(name));
        return found;
    }

    ReferenceSession &m_reference;
    std::map<std::string, std::int64_t> m_constants;
    Outcome<CallValues> m_base;
    double m_callSeconds = 0.0;
    int m_numProbes = 0;
    Clock::time_point m_end = Clock::now() + std::chrono::milliseconds(1000);
};

} // namespace

std::vector<SizeVariant> sizeVariants(ReferenceSession &reference, const Json &constants)
{
    return Explorer(reference, constants).explore();
}

bool mentionsSizes(const std::string &candidateText, const SizeVariant &variant)
{
    for (const std::int64_t original : variant.originals) {
        const std::string number = std::to_string(original);
        for (std::size_t at = candidateText.find(number); at != std::string::npos;
             at = candidateText.find(number, at + 1)) {
            const auto isWordByte = [&](std::size_t index) {
                return index < candidateText.size()
                    && (std::isalnum(static_cast<unsigned char>(candidateText[index])) || candidateText[index] == '_'
                        || candidateText[index] == '.');
            };
            if (!(at > 0 && isWordByte(at - 1)) && !isWordByte(at + number.size()))
                return true;
        }
    }
    return false;
}

} // namespace dice::evaluate
