// The half of AuthorPage that is told what happened: a job's steps, results, verdicts and failures.
#include "widgets/pages/authorpage.h"

#include "widgets/pages/attemptspanel.h"
#include "widgets/pages/kernelpanel.h"

namespace dice::widgets {

void AuthorPage::showPreparing()
{
    m_isStopping = false;
    setPhase(AuthorPhase::Preparing);
}

void AuthorPage::showAttempt(const DecodingOptions &decoding)
{
    Attempt attempt;
    attempt.state = AttemptState::Writing;
    attempt.moduleText = m_module->text();
    attempt.moduleName = m_module->name();
    attempt.decoding = decoding;
    m_active = m_attempts->append(attempt);
    m_current = m_active;
    m_attemptsPanel->setCurrent(m_current);
    m_stage.clear();
    m_verdictSoFar.reset();
    showText({}); // the text of the attempt before is kept in it
    m_kernel->startLive(expectedTokens());
    m_writingTime.start();
    setPhase(AuthorPhase::Writing);
    showOutcome();
}

// From what the same model wrote last: the best guess there is before the end. 0 = none.
int AuthorPage::expectedTokens() const
{
    for (auto attempt = m_attempts->attempts().rbegin(); attempt != m_attempts->attempts().rend(); ++attempt) {
        if (attempt->result && attempt->result->stopReason == StopReason::StopToken)
            return attempt->result->numTokens;
    }
    return 0;
}

void AuthorPage::appendStep(const CanvasStep &step)
{
    if (m_phase != AuthorPhase::Writing)
        return;
    m_kernel->appendLive(step);
}

void AuthorPage::showGenerated(const GenerateResult &result, const QString &kernel)
{
    const auto steps = m_kernel->finishLive();
    m_attempts->update(m_active, [&](Attempt &attempt) {
        attempt.state = result.stopReason == StopReason::Stopped ? AttemptState::Stopped : AttemptState::Written;
        attempt.kernelText = kernel;
        attempt.result = result;
        attempt.steps = steps;
    });
    if (!result.warnings.empty())
        m_note = QString::fromStdString(result.warnings.front());
    showCurrent();
    Q_EMIT textsChanged();
}

void AuthorPage::showVerifying()
{
    m_isStopping = m_isStopping && m_phase != AuthorPhase::Idle;
    m_stage = QStringLiteral("prepare");
    m_verdictSoFar.reset();
    m_attempts->update(m_active, [](Attempt &attempt) { attempt.state = AttemptState::Verifying; });
    const Attempt *attempt = m_attempts->attempt(m_active);
    const QString judged = attempt ? attempt->kernelText : QString();
    m_attempts->update(m_active, [&judged](Attempt &changed) { changed.judgedText = judged; });
    setPhase(AuthorPhase::Verifying);
    showOutcome();
}

void AuthorPage::showStage(const QString &stage, const Verdict &soFar)
{
    if (m_phase != AuthorPhase::Verifying)
        return;
    m_stage = stage;
    m_verdictSoFar = soFar;
    updateStateText();
    showOutcome();
}

void AuthorPage::showVerdict(const Verdict &verdict)
{
    m_stage.clear();
    m_verdictSoFar.reset();
    m_attempts->update(m_active, [&verdict](Attempt &attempt) {
        attempt.state = AttemptState::Judged;
        attempt.verdict = verdict;
    });
    if (m_current == m_active)
        showCurrent();
    Q_EMIT textsChanged();
}

void AuthorPage::showFinished()
{
    const bool wasStopped = m_isStopping;
    m_isStopping = false;
    const auto steps = m_kernel->isLive() ? m_kernel->finishLive() : nullptr;
    m_attempts->update(m_active, [&steps](Attempt &attempt) {
        if (steps)
            attempt.steps = steps;
        if (attempt.state == AttemptState::Writing)
            attempt.state = AttemptState::Stopped;
        else if (attempt.state == AttemptState::Verifying)
            attempt.state = attempt.verdict ? AttemptState::Judged : AttemptState::Written;
    });
    if (wasStopped)
        m_note = tr("stopped");
    m_active = 0;
    m_stage.clear();
    m_verdictSoFar.reset();
    setPhase(AuthorPhase::Idle);
    if (m_current == 0 && m_kernel->face() == KernelFace::Canvas)
        m_kernel->setFace(KernelFace::Empty);
    showOutcome();
    Q_EMIT textsChanged();
}

void AuthorPage::showFailure(const PageFailure &failure)
{
    const auto steps = m_kernel->isLive() ? m_kernel->finishLive() : nullptr;
    m_attempts->update(m_active, [&](Attempt &attempt) {
        attempt.state = AttemptState::Failed;
        attempt.failure = failure.sentence;
        if (steps)
            attempt.steps = steps;
    });
    const bool isElsewhere = m_current != m_active && steps;
    m_note.clear();
    m_isStopping = false;
    m_active = 0;
    m_stage.clear();
    m_verdictSoFar.reset();
    if (isElsewhere) // the canvas showed the failed attempt behind the one that is read
        showCurrent();
    m_kernel->banner()->showFailure(failure);
    setPhase(AuthorPhase::Idle);
    showOutcome();
    Q_EMIT textsChanged();
}

bool AuthorPage::isShowingFailure() const
{
    return !m_kernel->banner()->isHidden();
}

} // namespace dice::widgets
