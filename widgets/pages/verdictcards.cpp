#include "widgets/pages/verdictcards.h"

#include "widgets/models/attempt.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace dice::widgets {

namespace {

struct Cards
{
    Q_DECLARE_TR_FUNCTIONS(OutcomeCards)
};

enum Stage { Prepare, Build, Trials, Honesty, Done };

Stage stageOf(const OutcomeInput &input)
{
    if (input.stage == QLatin1String("prepare"))
        return Prepare;
    if (input.stage == QLatin1String("build"))
        return Build;
    if (input.stage == QLatin1String("trials"))
        return Trials;
    if (input.stage == QLatin1String("honesty"))
        return Honesty;
    return Done;
}

CardContent waiting(const QString &evidence)
{
    return {CardTone::Quiet, QStringLiteral("wait"), Cards::tr("waiting"), evidence};
}

CardContent atWork(const QString &state, const QString &evidence)
{
    return {CardTone::Accent, QStringLiteral("wait"), state, evidence};
}

CardContent notYet(const OutcomeInput &input, const QString &evidence)
{
    if (input.isWriting)
        return {CardTone::Quiet, QStringLiteral("wait"), Cards::tr("after the last block"), evidence};
    return {CardTone::Quiet, QStringLiteral("none"), Cards::tr("not checked"), evidence};
}

CardContent notReached(const Verdict &verdict)
{
    return {CardTone::Quiet, QStringLiteral("none"), Cards::tr("not reached"),
            Cards::tr("The check ended before: %1.").arg(wordText(verdict.word))};
}

QString seconds(std::int64_t durationNs)
{
    return Cards::tr("%1 s").arg(QLocale().toString(static_cast<double>(durationNs) * 1e-9, 'f', 1));
}

QString rungText(const std::string &rung)
{
    if (rung == "cache")
        return Cards::tr("Built before, taken from the cache");
    if (rung == "shim")
        return Cards::tr("Built with the fast headers");
    if (rung == "real_headers")
        return Cards::tr("Built with PyTorch's own headers");
    return Cards::tr("Built");
}

QString gpuText(const BuildReport &build)
{
    if (build.isGpuProven)
        return Cards::tr("device code compiles for %1").arg(QString::fromStdString(build.gpuArchitecture));
    return Cards::tr("device code not compiled for a GPU");
}

QString firstMessage(const Verdict &verdict)
{
    for (const BuildMessage &message : verdict.build.messages) {
        if (message.severity != Severity::Error)
            continue;
        const QString text = QString::fromStdString(message.text);
        return message.line > 0 ? Cards::tr("line %1: %2").arg(message.line).arg(text) : text;
    }
    return QString::fromStdString(verdict.reason);
}

CardContent buildCard(const OutcomeInput &input)
{
    const Stage stage = stageOf(input);
    if (stage == Prepare || stage == Build)
        return atWork(stage == Prepare ? Cards::tr("reading the module") : Cards::tr("building"),
                      Cards::tr("Compiles the kernel's sources in the sandbox."));
    if (!input.verdict)
        return notYet(input, Cards::tr("Does it compile, also for a GPU?"));
    const Verdict &verdict = *input.verdict;
    if (verdict.build.isBuilt)
        return {CardTone::Good, QStringLiteral("pass"), Cards::tr("ok, %1").arg(seconds(verdict.build.durationNs)),
                QStringLiteral("%1; %2").arg(rungText(verdict.build.rung), gpuText(verdict.build))};
    if (verdict.word == VerdictWord::CompileError)
        return {CardTone::Bad, QStringLiteral("fail"), Cards::tr("build error"), firstMessage(verdict)};
    if (verdict.word == VerdictWord::NeedsGpu)
        return {CardTone::Care, QStringLiteral("care"), wordText(verdict.word), QString::fromStdString(verdict.reason)};
    return {CardTone::Care, QStringLiteral("care"), Cards::tr("nothing built"), QString::fromStdString(verdict.reason)};
}

QString trialsEvidence(const Verdict &verdict)
{
    QString text
        = Cards::tr("Fresh inputs each time, equal within %1").arg(QLocale().toString(verdict.tolerance, 'g', 2));
    if (!verdict.scaledSizes.empty())
        text += Cards::tr("; scaled sizes");
    return text;
}

CardContent correctCard(const OutcomeInput &input)
{
    const Stage stage = stageOf(input);
    if (stage == Prepare || stage == Build)
        return waiting(Cards::tr("Trials with fresh inputs come after the build."));
    if (!input.verdict)
        return stage == Done ? notYet(input, Cards::tr("Trials with fresh inputs against the module."))
                             : atWork(Cards::tr("running trials"), {});
    const Verdict &verdict = *input.verdict;
    const auto numEqual
        = std::count_if(verdict.trials.begin(), verdict.trials.end(), [](const TrialResult &t) { return t.isEqual; });
    const QString share = QStringLiteral("%1/%2").arg(numEqual).arg(verdict.trials.size());
    if (stage == Trials)
        return atWork(verdict.trials.empty() ? Cards::tr("running trials") : share, trialsEvidence(verdict));
    const bool areAllEqual = !verdict.trials.empty() && numEqual == static_cast<long>(verdict.trials.size());
    switch (verdict.word) {
    case VerdictWord::Incorrect:
        return {CardTone::Bad, QStringLiteral("fail"), share, QString::fromStdString(verdict.reason)};
    case VerdictWord::RuntimeError:
    case VerdictWord::Timeout:
        return {CardTone::Bad, QStringLiteral("fail"), wordText(verdict.word), QString::fromStdString(verdict.reason)};
    case VerdictWord::NeedsGpu:
        return {CardTone::Care, QStringLiteral("care"), wordText(verdict.word), QString::fromStdString(verdict.reason)};
    case VerdictWord::HarnessError:
        return {CardTone::Care, QStringLiteral("care"), wordText(verdict.word), QString::fromStdString(verdict.reason)};
    default:
        break;
    }
    return areAllEqual ? CardContent{CardTone::Good, QStringLiteral("pass"), share, trialsEvidence(verdict)}
                       : notReached(verdict);
}

CardContent trustCard(const OutcomeInput &input)
{
    const Stage stage = stageOf(input);
    if (stage != Done && stage != Honesty)
        return waiting(Cards::tr("Honesty checks come after the trials."));
    if (stage == Honesty)
        return atWork(Cards::tr("looking for tricks"), Cards::tr("Does the kernel itself do the work?"));
    if (!input.verdict)
        return notYet(input, Cards::tr("Does the kernel itself do the work?"));
    const Verdict &verdict = *input.verdict;
    const auto count = [&verdict](CheckOutcome outcome) {
        return std::count_if(verdict.detectors.begin(), verdict.detectors.end(),
                             [outcome](const DetectorResult &detector) { return detector.outcome == outcome; });
    };
    const auto numPassed = count(CheckOutcome::Passed);
    const auto numNotRun = count(CheckOutcome::NotRun);
    const auto total = static_cast<long>(verdict.detectors.size());
    if (verdict.word == VerdictWord::Rejected)
        return {CardTone::Bad, QStringLiteral("fail"), wordText(verdict.word), QString::fromStdString(verdict.reason)};
    if (total == 0 || numPassed == 0)
        return notReached(verdict);
    if (count(CheckOutcome::Failed) > 0)
        return {CardTone::Bad, QStringLiteral("fail"), QStringLiteral("%1/%2").arg(numPassed).arg(total),
                QString::fromStdString(verdict.reason)};
    if (!verdict.warnings.empty())
        return {CardTone::Care, QStringLiteral("care"), QStringLiteral("%1/%2").arg(numPassed).arg(total),
                QString::fromStdString(verdict.warnings.front())};
    if (numNotRun > 0)
        return {CardTone::Good, QStringLiteral("pass"), QStringLiteral("%1/%2").arg(numPassed).arg(total),
                Cards::tr("All that run here passed; %n could not run on this device", nullptr,
                          static_cast<int>(numNotRun))};
    return {CardTone::Good, QStringLiteral("pass"), QStringLiteral("%1/%2").arg(numPassed).arg(total),
            Cards::tr("All checks passed")};
}

CardContent speedUpCard(const OutcomeInput &input)
{
    if (input.verdict && QString::fromStdString(input.verdict->device).startsWith(QLatin1String("cuda")))
        return {CardTone::Quiet, QStringLiteral("none"), Cards::tr("not measured"),
                Cards::tr("This check compares results; it takes no times.")};
    return {CardTone::Quiet, QStringLiteral("none"), Cards::tr("needs a GPU"),
            Cards::tr("The CPU device checks results; its times say nothing about a GPU.")};
}

} // namespace

CardContent cardContent(CardKind kind, const OutcomeInput &input)
{
    switch (kind) {
    case CardKind::Build:
        return buildCard(input);
    case CardKind::Correct:
        return correctCard(input);
    case CardKind::Trust:
        return trustCard(input);
    case CardKind::SpeedUp:
        return speedUpCard(input);
    }
    return {};
}

QString cardTitle(CardKind kind)
{
    switch (kind) {
    case CardKind::Build:
        return Cards::tr("Build");
    case CardKind::Correct:
        return Cards::tr("Correct");
    case CardKind::Trust:
        return Cards::tr("Trust");
    case CardKind::SpeedUp:
        return Cards::tr("Speed-up");
    }
    return {};
}

} // namespace dice::widgets
