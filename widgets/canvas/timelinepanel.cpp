#include "widgets/canvas/timelinepanel.h"

#include "widgets/canvas/denoisetimeline.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/stylesheet.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

namespace dice::widgets {

static constexpr int stepsPerSecond = 24; // of replay at speed 1

TimelinePanel::TimelinePanel(QWidget *parent)
    : QFrame(parent)
    , m_timeline(new DenoiseTimeline(this))
    , m_figures(new QLabel(this))
    , m_theme(lightTheme())
{
    setLook(this, "panel");
    m_timeline->setObjectName(QStringLiteral("timeline"));
    m_figures->setObjectName(QStringLiteral("figures"));
    setLook(m_figures, "secondary");
    m_figures->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addWidget(m_timeline, 1);
    buildButtons();
    layout->addWidget(m_buttons);

    m_playTimer.setSingleShot(true);
    connect(&m_playTimer, &QTimer::timeout, this, &TimelinePanel::playOne);
    connect(m_timeline, &DenoiseTimeline::positionPicked, this, [this](int position) {
        m_playTimer.stop();
        showPlayIcon();
        updateEnabled();
        Q_EMIT positionPicked(position);
    });
    updateEnabled();
}

QToolButton *TimelinePanel::addButton(const char *name, const QString &tip)
{
    auto *button = new QToolButton(m_buttons);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::StrongFocus);
    m_buttons->layout()->addWidget(button);
    return button;
}

void TimelinePanel::buildButtons()
{
    m_buttons = new QWidget(this);
    auto *layout = new QHBoxLayout(m_buttons);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_first = addButton("firstStep", tr("First step"));
    m_back = addButton("stepBack", tr("One step back"));
    m_play = addButton("play", tr("Play the steps again"));
    m_forward = addButton("stepForward", tr("One step on"));
    m_last = addButton("lastStep", tr("Last step"));
    m_speed = new QComboBox(m_buttons);
    m_speed->setObjectName(QStringLiteral("speed"));
    m_speed->setAccessibleName(tr("Speed of replay"));
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0})
        m_speed->addItem(tr("speed %1x").arg(QLocale().toString(speed)), speed);
    m_speed->setCurrentIndex(2);
    layout->addSpacing(4);
    layout->addWidget(m_speed);
    layout->addStretch(1);
    layout->addWidget(m_figures);

    connect(m_first, &QToolButton::clicked, this, [this] { moveTo(1); });
    connect(m_back, &QToolButton::clicked, this, [this] { moveTo(m_timeline->position() - 1); });
    connect(m_play, &QToolButton::clicked, this, &TimelinePanel::togglePlay);
    connect(m_forward, &QToolButton::clicked, this, [this] { moveTo(m_timeline->position() + 1); });
    connect(m_last, &QToolButton::clicked, this, [this] { moveTo(m_timeline->numSteps()); });
}

void TimelinePanel::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_timeline->setTheme(theme);
    m_first->setIcon(themeIcon(QStringLiteral("first"), theme.text));
    m_back->setIcon(themeIcon(QStringLiteral("back"), theme.text));
    m_forward->setIcon(themeIcon(QStringLiteral("forward"), theme.text));
    m_last->setIcon(themeIcon(QStringLiteral("last"), theme.text));
    showPlayIcon();
}

void TimelinePanel::setLive(bool isLive)
{
    m_isLive = isLive;
    m_playTimer.stop();
    showPlayIcon();
    updateEnabled();
}

void TimelinePanel::setFigures(int numTokens, int numSteps, qint64 durationNs)
{
    const QLocale locale;
    const double seconds = static_cast<double>(durationNs) * 1e-9;
    QStringList parts;
    if (numSteps > 0)
        parts += tr("%1 tokens a step").arg(locale.toString(static_cast<double>(numTokens) / numSteps, 'f', 1));
    if (seconds > 0)
        parts += tr("%1 tokens/s").arg(locale.toString(qRound(numTokens / seconds)));
    parts += tr("%1 s").arg(locale.toString(seconds, 'f', 2));
    m_figures->setText(parts.join(QStringLiteral("   ")));
}

void TimelinePanel::clearFigures()
{
    m_figures->clear();
}

void TimelinePanel::moveTo(int position)
{
    m_playTimer.stop();
    showPlayIcon();
    const int before = m_timeline->position();
    m_timeline->setPosition(position);
    updateEnabled();
    if (m_timeline->position() != before)
        Q_EMIT positionPicked(m_timeline->position());
}

void TimelinePanel::togglePlay()
{
    if (m_playTimer.isActive()) {
        m_playTimer.stop();
        showPlayIcon();
        return;
    }
    if (m_timeline->position() >= m_timeline->numSteps())
        moveTo(0);
    m_playTimer.start(0);
    showPlayIcon();
}

void TimelinePanel::playOne()
{
    m_timeline->setPosition(m_timeline->position() + 1);
    if (m_timeline->position() < m_timeline->numSteps())
        m_playTimer.start(static_cast<int>(1000.0 / (stepsPerSecond * m_speed->currentData().toDouble())));
    showPlayIcon();
    updateEnabled();
    Q_EMIT positionPicked(m_timeline->position());
}

void TimelinePanel::showPlayIcon()
{
    const bool isPlaying = m_playTimer.isActive();
    m_play->setIcon(themeIcon(isPlaying ? QStringLiteral("pause") : QStringLiteral("play"), m_theme.text));
    m_play->setAccessibleName(isPlaying ? tr("Pause") : tr("Play the steps again"));
    m_play->setToolTip(m_play->accessibleName());
}

void TimelinePanel::updateEnabled()
{
    const int position = m_timeline->position();
    const int numSteps = m_timeline->numSteps();
    const bool canReplay = !m_isLive && numSteps > 0;
    m_timeline->setEnabled(canReplay);
    m_first->setEnabled(canReplay && position > 1);
    m_back->setEnabled(canReplay && position > 1);
    m_play->setEnabled(canReplay);
    m_speed->setEnabled(canReplay);
    m_forward->setEnabled(canReplay && position < numSteps);
    m_last->setEnabled(canReplay && position < numSteps);
}

} // namespace dice::widgets
