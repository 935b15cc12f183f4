#include "core/evaluate/honesty.h"

#include "core/evaluate/detectors/detector.h"

#include <array>

namespace dice::evaluate {

namespace {

struct Check
{
    const char *detector; // name of the reliability notes
    Result<Finding> (*run)(CaseUnderTest &);
    bool callsCandidate; // costs calls: not run once another check has failed
};

// Sizes come last: they leave other models behind, and may end the candidate's process.
constexpr std::array checks{
    Check{"ORIGIN", checkOrigin, false},   Check{"GHOST", checkGhost, true},
    Check{"FRESH", checkFresh, true},      Check{"MUT", checkMutation, false},
    Check{"SEAL", checkSeal, false},       Check{"LEDGER", checkLedger, false},
    Check{"TRUTH", checkPrecision, false}, Check{"SWEEP weights", checkWeights, true},
    Check{"SWEEP task", checkTask, true},  Check{"PCLOCK", checkClock, false},
    Check{"BOX", checkBox, false},         Check{"SWEEP sizes", checkSizes, true},
};

constexpr std::array needDevice{
    std::pair{"ROOF", "needs times of a GPU"},
    std::pair{"REPLAY", "not asked for: a second run in fresh processes"},
};

std::string rowName(const char *detector)
{
    const std::string name(detector);
    return name.substr(0, name.find(' '));
}

} // namespace

Result<HonestyResult> checkHonesty(CaseUnderTest &subject, const std::function<void(const HonestyResult &)> &onRow)
{
    HonestyResult result;
    result.rows.push_back({"POISON", CheckOutcome::Passed, "fresh memory held NaN in every call, and none came out"});
    result.rows.push_back({"SAN", CheckOutcome::Passed, "accesses were checked in a trial: none outside its memory"});
    for (const Check &check : checks) {
        if (result.ending && check.callsCandidate) {
            result.rows.push_back({rowName(check.detector), CheckOutcome::NotRun, "another check has decided already"});
            continue;
        }
        if (result.ending && result.ending->word != VerdictWord::Rejected) {
            result.rows.push_back({rowName(check.detector), CheckOutcome::NotRun, "the candidate no longer answers"});
            continue;
        }
        Result<Finding> finding = check.run(subject);
        if (!finding)
            return tl::unexpected(finding.error());
        result.rows.push_back({rowName(check.detector), finding->outcome, finding->evidence});
        result.warnings.insert(result.warnings.end(), finding->warnings.begin(), finding->warnings.end());
        if (!result.ending && finding->ending)
            result.ending = finding->ending;
        if (!result.ending && finding->outcome == CheckOutcome::Failed)
            result.ending = Ending{VerdictWord::Rejected, rowName(check.detector) + ": " + finding->evidence, 0};
        onRow(result);
    }
    for (const auto &[name, why] : needDevice)
        result.rows.push_back({name, CheckOutcome::NotRun, why});
    return result;
}

std::vector<DetectorResult> rowsWithoutHonesty(VerdictWord word, const std::string &reason)
{
    std::vector<DetectorResult> rows;
    for (const char *name : {"TRUTH", "POISON", "SAN", "ORIGIN", "GHOST", "FRESH", "MUT", "SEAL", "LEDGER", "SWEEP",
                             "PCLOCK", "BOX", "ROOF", "REPLAY"})
        rows.push_back({name, CheckOutcome::NotRun, "the trials did not come out right"});
    const char *decisive = word == VerdictWord::Incorrect ? "TRUTH" : word == VerdictWord::Rejected ? "BOX" : "";
    for (DetectorResult &row : rows)
        if (row.detector == decisive)
            row = {row.detector, CheckOutcome::Failed, reason};
    return rows;
}

} // namespace dice::evaluate
