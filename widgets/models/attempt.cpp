#include "widgets/models/attempt.h"

#include <QCoreApplication>

#include <algorithm>

namespace dice::widgets {

static QString tr(const char *text)
{
    return QCoreApplication::translate("Attempt", text);
}

QString wordText(VerdictWord word)
{
    switch (word) {
    case VerdictWord::Correct:
        return QCoreApplication::translate("Attempt", "correct");
    case VerdictWord::Incorrect:
        return QCoreApplication::translate("Attempt", "incorrect");
    case VerdictWord::CompileError:
        return QCoreApplication::translate("Attempt", "build error");
    case VerdictWord::RuntimeError:
        return QCoreApplication::translate("Attempt", "run-time error");
    case VerdictWord::Timeout:
        return QCoreApplication::translate("Attempt", "too slow: stopped");
    case VerdictWord::Rejected:
        return QCoreApplication::translate("Attempt", "rejected");
    case VerdictWord::NeedsGpu:
        return QCoreApplication::translate("Attempt", "needs a GPU");
    case VerdictWord::HarnessError:
        return QCoreApplication::translate("Attempt", "not judged");
    }
    return {};
}

QString attemptTitle(const Attempt &attempt)
{
    switch (attempt.state) {
    case AttemptState::Writing:
        return tr(QT_TRANSLATE_NOOP("Attempt", "writing..."));
    case AttemptState::Written:
        return attempt.isByHand ? tr(QT_TRANSLATE_NOOP("Attempt", "by hand"))
                                : tr(QT_TRANSLATE_NOOP("Attempt", "written, not verified"));
    case AttemptState::Verifying:
        return tr(QT_TRANSLATE_NOOP("Attempt", "verifying..."));
    case AttemptState::Stopped:
        return tr(QT_TRANSLATE_NOOP("Attempt", "stopped"));
    case AttemptState::Failed:
        return tr(QT_TRANSLATE_NOOP("Attempt", "failed"));
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
    return tr(QT_TRANSLATE_NOOP("Attempt", "%1 of %2 trials equal")).arg(numEqual).arg(verdict.trials.size());
}

QString attemptEvidence(const Attempt &attempt)
{
    if (attempt.state == AttemptState::Failed)
        return attempt.failure;
    if (attempt.isEditedSinceVerdict())
        return tr(QT_TRANSLATE_NOOP("Attempt", "edited since this verdict"));
    if (attempt.state == AttemptState::Judged && attempt.verdict)
        return judgedEvidence(*attempt.verdict);
    if (attempt.isByHand)
        return attempt.moduleName;
    return tr(QT_TRANSLATE_NOOP("Attempt", "seed %1")).arg(attempt.decoding.seed);
}

} // namespace dice::widgets
