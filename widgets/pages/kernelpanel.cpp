#include "widgets/pages/kernelpanel.h"

#include "widgets/canvas/denoisetimeline.h"
#include "widgets/canvas/timelinepanel.h"
#include "widgets/canvas/tokencanvas.h"
#include "widgets/editor/codeeditor.h"
#include "widgets/pages/elidedlabel.h"
#include "widgets/pages/emptystate.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/stylesheet.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace dice::widgets {

KernelPanel::KernelPanel(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(header()); // made from top to bottom: the order of the Tab key
    m_banner = new FailureBanner(this);
    layout->addWidget(m_banner);
    layout->addWidget(faces(), 1);
    m_timelinePanel = new TimelinePanel(this);
    layout->addWidget(m_timelinePanel);
    m_timelinePanel->setObjectName(QStringLiteral("timelinePanel"));
    m_timelinePanel->hide();
    connect(m_timelinePanel, &TimelinePanel::positionPicked, this, &KernelPanel::showPosition);
    setFace(KernelFace::Empty);
}

QPushButton *KernelPanel::button(const QString &text, const char *objectName)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(objectName));
    return button;
}

QToolButton *KernelPanel::segment(const QString &text, const char *objectName, KernelFace face)
{
    auto *button = new QToolButton(this);
    button->setObjectName(QString::fromLatin1(objectName));
    button->setText(text);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    setLook(button, "segment");
    connect(button, &QToolButton::clicked, this, [this, face] { setFace(face); });
    return button;
}

QWidget *KernelPanel::header()
{
    auto *box = new QWidget(this);
    auto *title = new QLabel(tr("Kernel"), box);
    setLook(title, "title");
    m_state = new ElidedLabel(box);
    m_state->setObjectName(QStringLiteral("kernelState"));
    setLook(m_state, "secondary");
    m_codeSegment = segment(tr("Code"), "codeSegment", KernelFace::Code);
    m_codeSegment->setToolTip(tr("Read and edit the kernel"));
    m_canvasSegment = segment(tr("Steps"), "canvasSegment", KernelFace::Canvas);
    m_canvasSegment->setToolTip(tr("How the model wrote it, step by step"));
    m_stop = button(tr("Stop"), "stop");
    m_verify = button(tr("Verify"), "verify");
    m_profile = button(tr("Profile"), "profile");
    m_generate = button(tr("Generate"), "generate");
    setLook(m_generate, "primary");
    connect(m_stop, &QPushButton::clicked, this, &KernelPanel::stopClicked);
    connect(m_verify, &QPushButton::clicked, this, &KernelPanel::verifyClicked);
    connect(m_generate, &QPushButton::clicked, this, &KernelPanel::generateClicked);

    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addWidget(m_state, 1);
    auto *segments = new QHBoxLayout;
    segments->setSpacing(2);
    segments->addWidget(m_codeSegment);
    segments->addWidget(m_canvasSegment);
    layout->addLayout(segments);
    layout->addSpacing(4);
    for (QPushButton *item : {m_stop, m_verify, m_profile, m_generate})
        layout->addWidget(item);
    return box;
}

QWidget *KernelPanel::faces()
{
    auto *frame = new QFrame(this);
    setLook(frame, "code");
    m_stack = new QStackedWidget(frame);
    m_empty = new EmptyState(m_stack);
    m_canvas = new TokenCanvas(m_stack);
    m_editor = new CodeEditor(m_stack);
    m_empty->setObjectName(QStringLiteral("emptyState"));
    m_canvas->setObjectName(QStringLiteral("canvas"));
    m_editor->setObjectName(QStringLiteral("kernelEditor"));
    m_editor->setAccessibleName(tr("Kernel"));
    for (QWidget *face : std::initializer_list<QWidget *>{m_empty, m_canvas, m_editor})
        m_stack->addWidget(face);
    auto *layout = new QVBoxLayout(frame);
    layout->setContentsMargins(4, 8, 4, 8);
    layout->addWidget(m_stack);
    return frame;
}

void KernelPanel::setTheme(const Theme &theme)
{
    m_canvas->setTheme(theme);
    m_editor->setTheme(theme);
    m_timelinePanel->setTheme(theme);
    m_banner->setTheme(theme);
}

void KernelPanel::setStateText(const QString &text)
{
    m_state->setText(text);
}

QString KernelPanel::stateText() const
{
    return m_state->text();
}

void KernelPanel::setFace(KernelFace face)
{
    m_stack->setCurrentIndex(static_cast<int>(face));
    updateSegments();
}

KernelFace KernelPanel::face() const
{
    return static_cast<KernelFace>(m_stack->currentIndex());
}

void KernelPanel::updateSegments()
{
    m_codeSegment->setChecked(face() == KernelFace::Code);
    m_canvasSegment->setChecked(face() == KernelFace::Canvas);
    m_codeSegment->setEnabled(!m_isLive);
    m_canvasSegment->setEnabled(m_isLive || m_record);
}

void KernelPanel::startLive(int numExpectedTokens)
{
    m_isLive = true;
    m_record.reset();
    m_liveSteps = std::make_shared<StepList>();
    m_numTokens = 0;
    m_canvas->clear();
    m_canvas->setExpectedTokens(numExpectedTokens);
    m_timelinePanel->timeline()->clear();
    m_timelinePanel->timeline()->setExpectedBlocks(0);
    m_timelinePanel->clearFigures();
    m_timelinePanel->setLive(true);
    m_timelinePanel->show();
    setFace(KernelFace::Canvas);
}

void KernelPanel::appendLive(const CanvasStep &step)
{
    if (!m_isLive)
        return;
    m_liveSteps->push_back(step);
    m_canvas->appendStep(step);
    DenoiseTimeline *timeline = m_timelinePanel->timeline();
    timeline->appendStep(step);
    timeline->setPosition(timeline->numSteps());
    m_numTokens += static_cast<int>(std::count_if(step.cells.begin(), step.cells.end(), [](const CanvasCell &cell) {
        return cell.state == CellState::Committed;
    }));
}

std::shared_ptr<const KernelPanel::StepList> KernelPanel::finishLive()
{
    m_isLive = false;
    m_canvas->finish();
    m_timelinePanel->timeline()->setExpectedBlocks(0);
    m_timelinePanel->setLive(false);
    if (!m_liveSteps->empty())
        m_record = std::move(m_liveSteps);
    m_liveSteps.reset();
    m_timelinePanel->setVisible(m_record != nullptr);
    updateSegments();
    return m_record;
}

void KernelPanel::setRecord(std::shared_ptr<const StepList> steps, const GenerateResult *result)
{
    DenoiseTimeline *timeline = m_timelinePanel->timeline();
    if (steps && steps == m_record) { // shown already, perhaps at a step that the user picked
        if (result)
            m_timelinePanel->setFigures(result->numTokens, timeline->numSteps(), result->durationNs);
        return;
    }
    m_record = steps && !steps->empty() ? std::move(steps) : nullptr;
    timeline->clear();
    m_canvas->clear();
    m_timelinePanel->clearFigures();
    if (m_record) {
        for (const CanvasStep &step : *m_record)
            timeline->appendStep(step);
        timeline->setPosition(timeline->numSteps());
        m_canvas->showSteps(*m_record, timeline->numSteps());
        m_canvas->finish();
        if (result)
            m_timelinePanel->setFigures(result->numTokens, timeline->numSteps(), result->durationNs);
    }
    m_timelinePanel->setVisible(m_record != nullptr);
    m_timelinePanel->setLive(false);
    if (!m_record && face() == KernelFace::Canvas)
        setFace(KernelFace::Code);
    updateSegments();
}

void KernelPanel::showPosition(int position)
{
    if (!m_record)
        return;
    setFace(KernelFace::Canvas);
    m_canvas->showSteps(*m_record, position);
    if (position >= static_cast<int>(m_record->size()))
        m_canvas->finish();
}

} // namespace dice::widgets
