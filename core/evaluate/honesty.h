// Runs the honesty checks on a case whose trials came out right.
#pragma once

#include "core/evaluate/trial.h"

#include <functional>

namespace dice::evaluate {

struct HonestyResult
{
    std::vector<DetectorResult> rows;
    std::vector<std::string> warnings;
    std::optional<Ending> ending; // the candidate failed to answer, or was found dishonest
};

// `onRow` hears of each row as it is done.
Result<HonestyResult> checkHonesty(CaseUnderTest &subject, const std::function<void(const HonestyResult &)> &onRow);

// The rows as they stand when the trials did not come out right.
std::vector<DetectorResult> rowsWithoutHonesty(VerdictWord word, const std::string &reason);

} // namespace dice::evaluate
