// The timeline with its buttons (first, step, play, last, speed) and the figures of the generation.
// Play advances the position by a single-shot timer; the owner shows the step it announces.
#pragma once

#include "core/data/generate.h"
#include "widgets/theme/theme.h"

#include <QFrame>
#include <QTimer>

class QComboBox;
class QLabel;
class QToolButton;

namespace dice::widgets {

class DenoiseTimeline;

class TimelinePanel : public QFrame
{
    Q_OBJECT

public:
    explicit TimelinePanel(QWidget *parent = nullptr);

    DenoiseTimeline *timeline() const { return m_timeline; }
    void setTheme(const Theme &theme);
    // While the model writes, replay is off and the marker stays at the end.
    void setLive(bool isLive);
    void setFigures(int numTokens, int numSteps, qint64 durationNs);
    void clearFigures();
    bool isPlaying() const { return m_playTimer.isActive(); }

Q_SIGNALS:
    void positionPicked(int position);

private:
    QToolButton *addButton(const char *name, const QString &tip);
    void buildButtons();
    void togglePlay();
    void playOne();
    void moveTo(int position);
    void showPlayIcon();
    void updateEnabled();

    DenoiseTimeline *m_timeline = nullptr;
    QLabel *m_figures = nullptr;
    QComboBox *m_speed = nullptr;
    QWidget *m_buttons = nullptr;
    QToolButton *m_first = nullptr;
    QToolButton *m_back = nullptr;
    QToolButton *m_play = nullptr;
    QToolButton *m_forward = nullptr;
    QToolButton *m_last = nullptr;
    QTimer m_playTimer;
    Theme m_theme;
    bool m_isLive = false;
};

} // namespace dice::widgets
