#include "widgets/models/attempt.h"

#include <QCoreApplication>

#include <algorithm>

namespace dice::widgets {

namespace {
struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(Attempt)
};
} // namespace

QString wordText(VerdictWord word)
{
    switch (word) {
    case VerdictWord::Correct:
        return Texts::tr("correct");
    case VerdictWord::Incorrect:
        return Texts::tr("incorrect");
    case VerdictWord::CompileError:
        return Texts::tr("build error");
    case VerdictWord::RuntimeError:
        return Texts::tr("run-time error");
    case VerdictWord::Timeout:
        return Texts::tr("too slow: stopped");
    case VerdictWord::Rejected:
        return Texts::tr("rejected");
    case VerdictWord::NeedsGpu:
        return Texts::tr("needs a GPU");
    case VerdictWord::HarnessError:
        return Texts::tr("not judged");
    }
    return {};
}

QString attemptTitle(const Attempt &attempt)
{
    switch (attempt.state) {
    case AttemptState::Writing:
        return Texts::tr("writing...");
    case AttemptState::Written:
        return attempt.isByHand ? Texts::tr("by hand")
                                : Texts::tr("written, not verified");
    case AttemptState::Verifying:
        return Texts::tr("verifying...");
    case AttemptState::Stopped:
        return Texts::tr("stopped");
    case AttemptState::Failed:
        return Texts::tr("failed");
    case AttemptState::Judged:
        break;
    }
    return attempt.verdict ? wordText(attempt.verdict->word) : QString();
}

static QString judgedEvidence(const Verdict &verdict)
{
    if (verdict.word != VerdictWord::Correct)
        return QString::fromStdString(verdict.reason);
    const auto numEqual = std::count_if(verdict.trials.begin(), verdict.trials.end(),
                                        [](const TrialResult &trial) { return trial.isEqual; });
    return Texts::tr("%1 of %2 trials equal").arg(numEqual).arg(verdict.trials.size());
}

QString attemptEvidence(const Attempt &attempt)
{
    if (attempt.state == AttemptState::Failed)
        return attempt.failure;
    if (attempt.isEditedSinceVerdict())
        return Texts::tr("edited since this verdict");
    if (attempt.state == AttemptState::Judged && attempt.verdict)
        return judgedEvidence(*attempt.verdict);
    if (attempt.isByHand)
        return attempt.moduleName;
    return Texts::tr("seed %1").arg(attempt.decoding.seed);
}

} // namespace dice::widgets
