// Whether 32-bit outputs all fit 16 bits while the expected ones do not: the sign of a computation in lower precision.
#pragma once

#include "core/evaluate/value.h"

#include <cstdint>

namespace dice::evaluate {

class PrecisionEvidence
{
public:
    void add(const CallValues &expected, const CallValues &actual);

    // Enough elements seen, all of the candidate's exact in half or bfloat16, the expected ones not.
    bool betraysHalf() const { return m_isHalf.betrays(m_numElements); }
    bool betraysBfloat16() const { return m_isBfloat16.betrays(m_numElements); }
    std::int64_t numElements() const { return m_numElements; }

private:
    struct Counter
    {
        std::int64_t numExpectedExact = 0;
        std::int64_t numActualExact = 0;
        bool betrays(std::int64_t numElements) const
        {
            return numElements >= 32 && numActualExact == numElements && 2 * numExpectedExact < numElements;
        }
    };
    void addTensor(const TensorLayout &expected, const TensorLayout &actual);
    void addValue(const Value &expected, const Value &actual);

    std::span<const std::byte> m_expectedBytes;
    std::span<const std::byte> m_actualBytes;
    std::int64_t m_numElements = 0;
    Counter m_isHalf;
    Counter m_isBfloat16;
};

} // namespace dice::evaluate
