#include "core/evaluate/precisionevidence.h"

#include "core/evaluate/elementwalk.h"

#include <algorithm>

namespace dice::evaluate {

namespace {

constexpr std::int64_t maxElementsPerTensor = 20000;

} // namespace

void PrecisionEvidence::add(const CallValues &expected, const CallValues &actual)
{
    m_expectedBytes = expected.bytes;
    m_actualBytes = actual.bytes;
    addValue(expected.root, actual.root);
}

void PrecisionEvidence::addValue(const Value &expected, const Value &actual)
{
    if (expected.kind != actual.kind)
        return;
    if (expected.kind == ValueKind::Tensor)
        return addTensor(expected.tensor, actual.tensor);
    for (std::size_t i = 0; i < std::min(expected.items.size(), actual.items.size()); ++i)
        addValue(expected.items[i], actual.items[i]);
}

void PrecisionEvidence::addTensor(const TensorLayout &expected, const TensorLayout &actual)
{
    if (expected.format->name != "float32" || actual.format != expected.format || expected.shape != actual.shape)
        return;
    ElementWalk walkExpected(expected, m_expectedBytes);
    ElementWalk walkActual(actual, m_actualBytes);
    const std::int64_t count = std::min(expected.numElements(), maxElementsPerTensor);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto wanted = static_cast<float>(realValue(*expected.format, walkExpected.next()));
        const auto given = static_cast<float>(realValue(*actual.format, walkActual.next()));
        m_isHalf.numExpectedExact += isExactHalf(wanted);
        m_isHalf.numActualExact += isExactHalf(given);
        m_isBfloat16.numExpectedExact += isExactBfloat16(wanted);
        m_isBfloat16.numActualExact += isExactBfloat16(given);
    }
    m_numElements += count;
}

} // namespace dice::evaluate
