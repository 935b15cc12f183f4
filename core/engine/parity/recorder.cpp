#include "recorder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace dice::engine::parity {

Recorder::Recorder(CheckCallback onCheck)
    : m_onCheck(std::move(onCheck))
{
}

void Recorder::add(Check check)
{
    m_report.checks.push_back(std::move(check));
    if (m_onCheck && !m_onCheck(m_report.checks.back()))
        throw Interrupted{};
}

void Recorder::compare(const std::string &name, std::span<const float> actual, std::span<const float> expected)
{
    if (actual.size() != expected.size())
        return add(
            {name, false, std::to_string(actual.size()) + " values instead of " + std::to_string(expected.size())});
    const double difference = largestDifference(actual, expected);
    char text[64];
    std::snprintf(text, sizeof text, "largest difference %.2e", difference);
    add({name, difference <= tolerance, text});
}

double largestDifference(std::span<const float> actual, std::span<const float> expected)
{
    if (actual.size() != expected.size())
        return std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double difference = std::abs(static_cast<double>(actual[i]) - expected[i]);
        if (std::isnan(difference))
            return std::numeric_limits<double>::infinity();
        largest = std::max(largest, difference);
    }
    return largest;
}

} // namespace dice::engine::parity
