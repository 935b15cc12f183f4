// The middle column: heading with the state in words and the four buttons, then one of three faces (what to do
// first, the canvas while the model writes or a replay runs, the editor), then the timeline. Emits intents.
#pragma once

#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "widgets/pages/failurebanner.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <memory>
#include <vector>

class QPushButton;
class QStackedWidget;
class QToolButton;
class QHBoxLayout;

namespace dice::widgets {

class CodeEditor;
class ElidedLabel;
class EmptyState;
class TimelinePanel;
class TokenCanvas;

enum class KernelFace { Empty, Canvas, Code };

class KernelPanel : public QWidget
{
    Q_OBJECT

public:
    using StepList = std::vector<CanvasStep>;

    explicit KernelPanel(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setStateText(const QString &text);
    QString stateText() const;
    void setFace(KernelFace face);
    KernelFace face() const;

    // Live writing: the canvas and the timeline fill up step by step.
    void startLive(int numExpectedTokens);
    void appendLive(const CanvasStep &step);
    std::shared_ptr<const StepList> finishLive();
    bool isLive() const { return m_isLive; }
    int numLiveTokens() const { return m_numTokens; }

    // A finished generation, to replay. Null: there is none (typed by hand, or from an earlier run).
    void setRecord(std::shared_ptr<const StepList> steps, const GenerateResult *result);

    CodeEditor *editor() const { return m_editor; }
    TokenCanvas *canvas() const { return m_canvas; }
    TimelinePanel *timelinePanel() const { return m_timelinePanel; }
    EmptyState *emptyState() const { return m_empty; }
    FailureBanner *banner() const { return m_banner; }
    QPushButton *generateButton() const { return m_generate; }
    QPushButton *verifyButton() const { return m_verify; }
    QPushButton *stopButton() const { return m_stop; }
    QPushButton *profileButton() const { return m_profile; }

Q_SIGNALS:
    void generateClicked();
    void verifyClicked();
    void stopClicked();

private:
    QPushButton *button(const QString &text, const char *objectName);
    QToolButton *segment(const QString &text, const char *objectName, KernelFace face);
    QWidget *header();
    QWidget *faces();
    void showPosition(int position);
    void updateSegments();

    ElidedLabel *m_state = nullptr;
    QToolButton *m_canvasSegment = nullptr;
    QToolButton *m_codeSegment = nullptr;
    QPushButton *m_stop = nullptr;
    QPushButton *m_verify = nullptr;
    QPushButton *m_profile = nullptr;
    QPushButton *m_generate = nullptr;
    FailureBanner *m_banner = nullptr;
    QStackedWidget *m_stack = nullptr;
    EmptyState *m_empty = nullptr;
    TokenCanvas *m_canvas = nullptr;
    CodeEditor *m_editor = nullptr;
    TimelinePanel *m_timelinePanel = nullptr;
    std::shared_ptr<StepList> m_liveSteps;
    std::shared_ptr<const StepList> m_record;
    int m_numTokens = 0;
    bool m_isLive = false;
};

} // namespace dice::widgets
