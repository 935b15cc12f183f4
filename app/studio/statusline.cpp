#include "app/studio/statusline.h"

#include <QLabel>
#include <QProgressBar>

namespace dice::studio {

StatusLine::StatusLine(QWidget *parent)
    : QStatusBar(parent)
    , m_device(addLabel("statusDevice"))
    , m_model(addLabel("statusModel"))
    , m_speed(addLabel("statusSpeed"))
    , m_sandbox(addLabel("statusSandbox"))
    , m_progress(new QProgressBar(this))
{
    setSizeGripEnabled(false);
    m_progress->setObjectName(QStringLiteral("statusProgress"));
    m_progress->setAccessibleName(tr("Progress of the job"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(180);
    addPermanentWidget(m_progress);
    clearProgress();
}

QLabel *StatusLine::addLabel(const char *objectName)
{
    auto *label = new QLabel(this);
    label->setObjectName(QString::fromLatin1(objectName));
    label->setTextFormat(Qt::PlainText);
    label->hide();
    addWidget(label);
    return label;
}

static void fill(QLabel *label, const QString &text, const QString &tip = {})
{
    label->setText(text);
    label->setToolTip(tip);
    label->setVisible(!text.isEmpty());
}

void StatusLine::setDevice(const QString &text)
{
    fill(m_device, text);
}

void StatusLine::setModel(const QString &text, const QString &tip)
{
    fill(m_model, text, tip);
}

void StatusLine::setSpeed(const QString &text)
{
    fill(m_speed, text);
}

void StatusLine::setSandbox(const QString &text, const QString &tip)
{
    fill(m_sandbox, text, tip);
}

void StatusLine::setProgress(int percent)
{
    m_progress->setRange(0, percent < 0 ? 0 : 100);
    m_progress->setValue(percent);
    m_progress->show();
}

void StatusLine::clearProgress()
{
    m_progress->hide();
}

} // namespace dice::studio
