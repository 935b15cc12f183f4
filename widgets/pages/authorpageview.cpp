// The half of AuthorPage that turns its state into what is seen: buttons, state text, the shown attempt, the outcome.
#include "widgets/pages/authorpage.h"

#include "widgets/canvas/denoisetimeline.h"
#include "widgets/canvas/timelinepanel.h"
#include "widgets/canvas/tokencanvas.h"
#include "widgets/editor/codeeditor.h"
#include "widgets/pages/attemptspanel.h"
#include "widgets/pages/kernelpanel.h"
#include "widgets/pages/outcomepanel.h"

#include <QPushButton>
#include <QScopedValueRollback>

#include <algorithm>

namespace dice::widgets {

void AuthorPage::setPhase(AuthorPhase phase)
{
    const bool isChanged = phase != m_phase;
    m_phase = phase;
    updateButtons();
    updateStateText();
    if (isChanged)
        Q_EMIT phaseChanged(phase);
}

void AuthorPage::updateButtons()
{
    const bool isIdle = m_phase == AuthorPhase::Idle;
    const bool hasModule = !m_module->editor()->isBlank();
    const bool hasKernel = !m_kernel->editor()->isBlank();
    m_kernel->generateButton()->setEnabled(isIdle && hasModule);
    m_kernel->verifyButton()->setEnabled(isIdle && hasModule && hasKernel);
    m_kernel->stopButton()->setEnabled(!isIdle && !m_isStopping);
    m_kernel->verifyButton()->setToolTip(!hasModule       ? tr("Verifying needs a module to compare with")
                                             : !hasKernel ? tr("There is no kernel yet")
                                                          : tr("Build and check this kernel (Ctrl+Shift+Return)"));
}

static QString stageText(const QString &stage)
{
    if (stage == QLatin1String("build"))
        return AuthorPage::tr("building the kernel");
    if (stage == QLatin1String("trials"))
        return AuthorPage::tr("comparing with the module");
    if (stage == QLatin1String("honesty"))
        return AuthorPage::tr("checking that the kernel does the work");
    return AuthorPage::tr("preparing the check");
}

void AuthorPage::updateStateText()
{
    if (m_isStopping) {
        m_kernel->setStateText(tr("stopping..."));
        return;
    }
    switch (m_phase) {
    case AuthorPhase::Preparing:
        m_kernel->setStateText(tr("reading the module, loading the model..."));
        return;
    case AuthorPhase::Writing: {
        DenoiseTimeline *timeline = m_kernel->timelinePanel()->timeline();
        const int block = std::max(1, timeline->numBlocks());
        m_kernel->timelinePanel()->setFigures(m_kernel->numLiveTokens(), timeline->numSteps(),
                                              m_writingTime.nsecsElapsed());
        const int numTokens = m_kernel->numLiveTokens();
        const int expected = numTokens > 0 ? expectedTokens() * block / numTokens : 0;
        timeline->setExpectedBlocks(expected);
        m_kernel->setStateText(expected > block ? tr("writing block %1 of about %2").arg(block).arg(expected)
                                                : tr("writing block %1").arg(block));
        return;
    }
    case AuthorPhase::Verifying:
        m_kernel->setStateText(stageText(m_stage));
        return;
    case AuthorPhase::Idle:
        break;
    }
    const Attempt *attempt = m_attempts->attempt(m_current);
    if (!m_note.isEmpty())
        m_kernel->setStateText(m_note);
    else if (attempt)
        m_kernel->setStateText(
            tr("attempt %1: %2")
                .arg(attempt->number)
                .arg(attempt->isEditedSinceVerdict() ? tr("edited, verify again") : attemptTitle(*attempt)));
    else
        m_kernel->setStateText({});
}

static std::vector<LineMark> marksOf(const Verdict &verdict)
{
    std::vector<LineMark> marks;
    for (const BuildMessage &message : verdict.build.messages) {
        if (message.line <= 0 || message.severity == Severity::Note)
            continue;
        const MarkKind kind = message.severity == Severity::Error ? MarkKind::Error : MarkKind::Warning;
        marks.push_back({message.line, kind, QString::fromStdString(message.text)});
    }
    const bool isMarked = std::any_of(marks.begin(), marks.end(), [&verdict](const LineMark &mark) {
        return mark.line == verdict.line && mark.kind == MarkKind::Error;
    });
    if (verdict.line > 0 && !isMarked)
        marks.push_back({verdict.line, MarkKind::Error, QString::fromStdString(verdict.reason)});
    return marks;
}

void AuthorPage::showText(const QString &kernel)
{
    const QScopedValueRollback guard(m_isShowing, true);
    if (kernelText() == kernel)
        return;
    m_kernel->editor()->setMarks({});
    m_kernel->editor()->loadText(kernel);
}

void AuthorPage::showCurrent()
{
    const Attempt *attempt = m_attempts->attempt(m_current);
    if (!attempt) {
        showOutcome();
        updateButtons();
        updateStateText();
        return;
    }
    const bool isBeingWritten = m_kernel->isLive() && m_current == m_active;
    showText(attempt->kernelText);
    if (isBeingWritten)
        m_kernel->setFace(KernelFace::Canvas);
    else if (!m_kernel->isLive())
        m_kernel->setRecord(attempt->steps, attempt->result ? &*attempt->result : nullptr);
    if (!isBeingWritten)
        m_kernel->setFace(KernelFace::Code);
    const bool hasFreshVerdict = attempt->verdict && !attempt->isEditedSinceVerdict();
    m_kernel->editor()->setMarks(hasFreshVerdict ? marksOf(*attempt->verdict) : std::vector<LineMark>());
    showOutcome();
    updateButtons();
    updateStateText();
}

void AuthorPage::showOutcome()
{
    OutcomeInput input;
    const bool isActive = m_current != 0 && m_current == m_active;
    if (isActive && m_phase == AuthorPhase::Verifying) {
        input.stage = m_stage;
        input.verdict = m_verdictSoFar;
    } else if (isActive && m_phase == AuthorPhase::Writing) {
        input.isWriting = true;
    } else if (const Attempt *attempt = m_attempts->attempt(m_current)) {
        input.verdict = attempt->verdict;
    }
    m_outcome->setInput(input);
}

} // namespace dice::widgets
