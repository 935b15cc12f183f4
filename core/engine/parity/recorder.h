// Collects the checks of one fixture folder.
#pragma once

#include "core/engine/parity/parity.h"

#include <span>
#include <string>

namespace dice::engine::parity {

inline constexpr double tolerance = 1e-4; // of logits, probabilities, entropies; absolute

// Thrown when a check callback asks to end, caught by checkParity alone.
struct Interrupted
{
};

class Recorder
{
public:
    explicit Recorder(CheckCallback onCheck);

    void add(Check check);
    // Passes when no element differs by more than the tolerance.
    void compare(const std::string &name, std::span<const float> actual, std::span<const float> expected);
    ParityReport take() { return std::move(m_report); }

private:
    CheckCallback m_onCheck;
    ParityReport m_report;
};

// Largest absolute difference; infinite when the sizes differ or a value is not a number.
double largestDifference(std::span<const float> actual, std::span<const float> expected);

} // namespace dice::engine::parity
