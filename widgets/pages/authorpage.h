// The Author page: ask (module, model, decoding), watch (canvas, editor, timeline), know (outcome, attempts).
// Emits what the user wants; is told what happened. Knows no process, file or service.
#pragma once

#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/data/verdict.h"
#include "widgets/models/attemptsmodel.h"
#include "widgets/pages/decodingform.h"
#include "widgets/pages/failurebanner.h"
#include "widgets/pages/modulepanel.h"
#include "widgets/theme/theme.h"

#include <QElapsedTimer>
#include <QWidget>

class QSplitter;

namespace dice::widgets {

class AttemptsPanel;
class KernelPanel;
class OutcomePanel;

struct GenerateIntent
{
    QString moduleText;
    QString moduleName;
    QString model; // id of a Choice
    QString device; // id of a Choice
    DecodingOptions decoding;
};

struct VerifyIntent
{
    QString moduleText;
    QString moduleName;
    QString kernelText;
    QString device;
};

enum class AuthorPhase { Idle, Preparing, Writing, Verifying };

class AuthorPage : public QWidget
{
    Q_OBJECT

public:
    explicit AuthorPage(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setExamples(const std::vector<ExampleModule> &examples);
    void setProfileReason(const QString &reason); // why Profile is not to be had here

    ModulePanel *modulePanel() const { return m_module; }
    DecodingForm *form() const { return m_form; }
    KernelPanel *kernelPanel() const { return m_kernel; }
    OutcomePanel *outcomePanel() const { return m_outcome; }
    AttemptsModel *attempts() const { return m_attempts; }
    QSplitter *splitter() const { return m_splitter; }
    AuthorPhase phase() const { return m_phase; }
    QString kernelText() const;
    int currentAttempt() const { return m_current; }

    // Restores what an earlier run of the window kept. A kernel that belongs to no attempt becomes one by hand.
    void restore(std::vector<Attempt> attempts, int current);

    // What happened. Steps and results belong to the attempt that is being worked on.
    void showPreparing();
    void showAttempt(const DecodingOptions &decoding); // the model starts to write it
    void appendStep(const CanvasStep &step);
    void showGenerated(const GenerateResult &result, const QString &kernel);
    void showVerifying();
    void showStage(const QString &stage, const Verdict &soFar);
    void showVerdict(const Verdict &verdict);
    void showFinished(); // the job ended: by itself, or because the user stopped it
    void showFailure(const PageFailure &failure);
    bool isShowingFailure() const;

public Q_SLOTS:
    void generate();
    void verify();
    void stop();
    void pickExample(int index);
    void focusNextPane();
    void focusPreviousPane();

Q_SIGNALS:
    void generateRequested(const dice::widgets::GenerateIntent &intent);
    void verifyRequested(const dice::widgets::VerifyIntent &intent);
    void stopRequested();
    void failureActionRequested(dice::widgets::FailureAction action);
    void textsChanged(); // module, kernel or attempts: worth saving
    void phaseChanged(dice::widgets::AuthorPhase phase);

private:
    QWidget *askColumn();
    QWidget *knowColumn();
    void connectPanels();
    void fillEmptyState();
    void setPhase(AuthorPhase phase);
    void updateButtons();
    void updateStateText();
    void showCurrent(); // the attempt m_current in editor, canvas and outcome
    void showText(const QString &kernel); // in the editor, as no edit of the user's
    void showOutcome();
    void handleModuleEdited();
    void handleKernelEdited();
    void pickAttempt(int number);
    int expectedTokens() const;
    void moveFocus(int direction);

    AttemptsModel *m_attempts = nullptr;
    ModulePanel *m_module = nullptr;
    DecodingForm *m_form = nullptr;
    KernelPanel *m_kernel = nullptr;
    OutcomePanel *m_outcome = nullptr;
    AttemptsPanel *m_attemptsPanel = nullptr;
    QSplitter *m_splitter = nullptr;
    AuthorPhase m_phase = AuthorPhase::Idle;
    int m_current = 0; // attempt that is shown; 0 = none
    int m_active = 0; // attempt that the job works on; 0 = none
    QString m_stage;
    std::optional<Verdict> m_verdictSoFar;
    QString m_note; // of the last job, until the next one: "stopped", "5 warnings"
    QElapsedTimer m_writingTime;
    bool m_isShowing = false; // texts come from outside: no edit by the user
    bool m_isStopping = false;
    bool m_isModuleBlank = true;
};

} // namespace dice::widgets
