// ORIGIN: which share of the task's work the candidate's own kernels do. Library calls beside them are allowed; what
// counts is what is left for the kernels once the library's part is taken off the task.
#include "core/evaluate/detectors/detector.h"

#include "core/evaluate/librarywork.h"

#include <cstdio>

namespace dice::evaluate {

namespace {

constexpr double smallestOwnShare = 0.05;

std::string percent(double share)
{
    char text[16];
    std::snprintf(text, sizeof text, "%.0f %%", 100.0 * share);
    return text;
}

} // namespace

Result<Finding> checkOrigin(CaseUnderTest &subject)
{
    if (subject.launches.empty())
        return failed("no kernel of the candidate ran: the library did the work");
    for (const Observation &seen : subject.observations)
        if (seen.check == "ORIGIN")
            return failed(seen.detail);
    const LibraryWork task = libraryWork(subject.referenceOperations);
    const LibraryWork beside = libraryWork(subject.candidateOperations);
    if (beside.elements == 0)
        return passed("own kernels do all of the work");
    if (task.elements == 0)
        return passed("the task has no arithmetic of the library to compare with");
    const double share = 1.0 - static_cast<double>(beside.elements) / static_cast<double>(task.elements);
    if (share < smallestOwnShare)
        return failed("the library does the task's work (" + beside.largest + "); own kernels only move its result");
    Finding finding
        = passed("mixed: own kernels do about " + percent(share) + " of the work, beside " + beside.largest);
    finding.warnings.push_back("mixed: library calls (" + beside.largest + ") run beside the candidate's own kernels");
    return finding;
}

} // namespace dice::evaluate
