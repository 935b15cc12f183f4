#include "widgets/pages/authorpage.h"

#include "widgets/canvas/tokencanvas.h"
#include "widgets/editor/codeeditor.h"
#include "widgets/pages/attemptspanel.h"
#include "widgets/pages/emptystate.h"
#include "widgets/pages/kernelpanel.h"
#include "widgets/pages/outcomepanel.h"
#include "widgets/theme/stylesheet.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace dice::widgets {

AuthorPage::AuthorPage(QWidget *parent)
    : QWidget(parent)
    , m_attempts(new AttemptsModel(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
{
    setObjectName(QStringLiteral("authorPage"));
    m_splitter->addWidget(askColumn());
    m_kernel = new KernelPanel(m_splitter);
    m_splitter->addWidget(m_kernel);
    m_splitter->addWidget(knowColumn());
    m_splitter->setStretchFactor(0, 27);
    m_splitter->setStretchFactor(1, 46);
    m_splitter->setStretchFactor(2, 20);
    m_splitter->setSizes({430, 720, 320});
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(12);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addWidget(m_splitter);

    connectPanels();
    setProfileReason(tr("Profiling needs an NVIDIA GPU"));
    m_kernel->generateButton()->setToolTip(tr("Let the model write a kernel (Ctrl+Return)"));
    m_kernel->stopButton()->setToolTip(tr("Stop and keep what is there (Esc)"));
    fillEmptyState();
    setPhase(AuthorPhase::Idle);
    updateButtons();
    updateStateText();
}

QWidget *AuthorPage::askColumn()
{
    auto *column = new QWidget(m_splitter);
    m_module = new ModulePanel(column);
    m_form = new DecodingForm(column);
    auto *layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_module, 1);
    layout->addWidget(m_form);
    return column;
}

QWidget *AuthorPage::knowColumn()
{
    auto *column = new QWidget;
    m_outcome = new OutcomePanel(column);
    m_attemptsPanel = new AttemptsPanel(m_attempts, column);
    auto *title = new QLabel(tr("Outcome"), column);
    setLook(title, "title");
    auto *layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addWidget(m_outcome);
    layout->addSpacing(8);
    layout->addWidget(m_attemptsPanel, 1);
    column->setObjectName(QStringLiteral("scrolled"));

    auto *scroll = new QScrollArea(m_splitter);
    scroll->setWidget(column);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setMinimumWidth(308);
    return scroll;
}

void AuthorPage::connectPanels()
{
    connect(m_module, &ModulePanel::textChanged, this, &AuthorPage::handleModuleEdited);
    connect(m_module, &ModulePanel::examplePicked, this, &AuthorPage::pickExample);
    connect(m_kernel->editor(), &CodeEditor::textChanged, this, &AuthorPage::handleKernelEdited);
    connect(m_kernel, &KernelPanel::generateClicked, this, &AuthorPage::generate);
    connect(m_kernel, &KernelPanel::verifyClicked, this, &AuthorPage::verify);
    connect(m_kernel, &KernelPanel::stopClicked, this, &AuthorPage::stop);
    // Figures and state once a frame, not once a step.
    connect(m_kernel->canvas(), &TokenCanvas::frameShown, this, &AuthorPage::updateStateText);
    connect(m_kernel->banner(), &FailureBanner::actionRequested, this, &AuthorPage::failureActionRequested);
    connect(m_outcome, &OutcomePanel::lineRequested, this, [this](int line) {
        m_kernel->setFace(KernelFace::Code);
        m_kernel->editor()->goToLine(line);
        m_kernel->editor()->setFocus();
    });
    connect(m_attemptsPanel, &AttemptsPanel::attemptPicked, this, &AuthorPage::pickAttempt);
}

void AuthorPage::setTheme(const Theme &theme)
{
    m_module->setTheme(theme);
    m_kernel->setTheme(theme);
    m_outcome->setTheme(theme);
    m_attemptsPanel->setTheme(theme);
}

void AuthorPage::setExamples(const std::vector<ExampleModule> &examples)
{
    m_module->setExamples(examples);
    fillEmptyState();
}

void AuthorPage::setProfileReason(const QString &reason)
{
    m_kernel->profileButton()->setEnabled(false);
    m_kernel->profileButton()->setToolTip(reason);
}

QString AuthorPage::kernelText() const
{
    return m_kernel->editor()->text();
}

void AuthorPage::fillEmptyState()
{
    EmptyState *empty = m_kernel->emptyState();
    empty->clearActions();
    m_isModuleBlank = m_module->editor()->isBlank();
    if (!m_isModuleBlank) {
        empty->setTexts(tr("Ready"),
                        tr("Press Generate and watch the model write a CUDA kernel for this module. "
                           "Or paste a kernel of your own and press Verify."));
        auto *button = empty->addAction(tr("Generate a kernel"), "emptyGenerate");
        setLook(button, "primary");
        connect(button, &QPushButton::clicked, this, &AuthorPage::generate);
    } else {
        empty->setTexts(tr("Start with a PyTorch module"),
                        tr("Paste one on the left, drop a file there, or take an example. The model then writes a CUDA "
                           "kernel for it, and the judge says whether it is right."));
        const std::size_t numShown = std::min<std::size_t>(3, m_module->examples().size());
        for (std::size_t i = 0; i < numShown; ++i) {
            auto *button = empty->addAction(m_module->examples()[i].title, "emptyExample");
            connect(button, &QPushButton::clicked, this, [this, i] { pickExample(static_cast<int>(i)); });
        }
        auto *open = empty->addAction(tr("Open a file..."), "emptyOpen");
        connect(open, &QPushButton::clicked, m_module, &ModulePanel::openRequested);
    }
    auto *byHand = empty->addAction(tr("Write a kernel by hand"), "emptyByHand");
    setLook(byHand, "link");
    connect(byHand, &QPushButton::clicked, this, [this] {
        m_kernel->setFace(KernelFace::Code);
        m_kernel->editor()->setFocus();
    });
}

void AuthorPage::pickExample(int index)
{
    if (index < 0 || index >= static_cast<int>(m_module->examples().size()))
        return;
    const ExampleModule &example = m_module->examples()[static_cast<std::size_t>(index)];
    m_module->setModule(example.text, example.fileName);
    m_module->editor()->setFocus();
}

void AuthorPage::restore(std::vector<Attempt> attempts, int current)
{
    m_attempts->setAttempts(std::move(attempts));
    m_current = m_attempts->attempt(current) ? current : 0;
    if (m_current == 0 && m_attempts->latest())
        m_current = m_attempts->latest()->number;
    m_attemptsPanel->setCurrent(m_current);
    showCurrent();
    fillEmptyState();
}

void AuthorPage::generate()
{
    if (!m_kernel->generateButton()->isEnabled())
        return;
    m_kernel->banner()->hide();
    m_note.clear();
    Q_EMIT generateRequested(
        {m_module->text(), m_module->name(), m_form->model(), m_form->device(), m_form->options()});
}

void AuthorPage::verify()
{
    if (!m_kernel->verifyButton()->isEnabled())
        return;
    m_kernel->banner()->hide();
    m_note.clear();
    m_active = m_current;
    m_attempts->update(m_active, [this](Attempt &attempt) {
        attempt.moduleText = m_module->text();
        attempt.moduleName = m_module->name();
    });
    Q_EMIT verifyRequested({m_module->text(), m_module->name(), kernelText(), m_form->device()});
}

void AuthorPage::stop()
{
    if (m_phase == AuthorPhase::Idle || m_isStopping)
        return;
    m_isStopping = true;
    updateButtons();
    updateStateText();
    Q_EMIT stopRequested();
}

void AuthorPage::handleModuleEdited()
{
    if (m_module->editor()->isBlank() != m_isModuleBlank)
        fillEmptyState();
    updateButtons();
    Q_EMIT textsChanged();
}

void AuthorPage::handleKernelEdited()
{
    if (m_isShowing)
        return;
    const QString text = kernelText();
    if (m_current == 0 && !text.trimmed().isEmpty()) {
        Attempt attempt;
        attempt.isByHand = true;
        attempt.state = AttemptState::Written;
        attempt.moduleText = m_module->text();
        attempt.moduleName = m_module->name();
        m_current = m_attempts->append(attempt);
        m_attemptsPanel->setCurrent(m_current);
    }
    m_attempts->update(m_current, [&text](Attempt &attempt) { attempt.kernelText = text; });
    m_kernel->editor()->setMarks({}); // they speak of the text as it was
    updateButtons();
    updateStateText();
    Q_EMIT textsChanged();
}

void AuthorPage::pickAttempt(int number)
{
    if (number == m_current)
        return;
    m_current = number;
    showCurrent();
    Q_EMIT textsChanged();
}

void AuthorPage::focusNextPane()
{
    moveFocus(1);
}

void AuthorPage::focusPreviousPane()
{
    moveFocus(-1);
}

void AuthorPage::moveFocus(int direction)
{
    QWidget *kernelFace = m_kernel->face() == KernelFace::Code ? static_cast<QWidget *>(m_kernel->editor())
        : m_kernel->face() == KernelFace::Canvas ? m_kernel->findChild<QWidget *>(QStringLiteral("canvas"))
                                                 : m_kernel->generateButton();
    const std::vector<QWidget *> panes
        = {m_module->editor(), m_form->findChild<QWidget *>(QStringLiteral("model")), kernelFace, m_outcome,
           m_attemptsPanel->findChild<QWidget *>(QStringLiteral("attempts"))};
    const int count = static_cast<int>(panes.size());
    int current = 0;
    for (int i = 0; i < count; ++i) {
        const QWidget *pane = panes[static_cast<std::size_t>(i)];
        const QWidget *focus = focusWidget();
        if (focus && (pane == focus || pane->isAncestorOf(focus)))
            current = i;
    }
    panes[static_cast<std::size_t>((current + direction + count) % count)]->setFocus(Qt::TabFocusReason);
}

} // namespace dice::widgets
