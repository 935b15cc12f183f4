// The bar at the foot of the window: device, model, speed, sandbox, and the progress of the job.
#pragma once

#include <QStatusBar>

class QLabel;
class QProgressBar;

namespace dice::studio {

class StatusLine : public QStatusBar
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget *parent = nullptr);

    void setDevice(const QString &text);
    void setModel(const QString &text, const QString &tip = {});
    void setSpeed(const QString &text);
    void setSandbox(const QString &text, const QString &tip);
    // 0 to 100, or -1 for work of unknown length. Hidden by clearProgress().
    void setProgress(int percent);
    void clearProgress();

private:
    QLabel *addLabel(const char *objectName);

    QLabel *m_device = nullptr;
    QLabel *m_model = nullptr;
    QLabel *m_speed = nullptr;
    QLabel *m_sandbox = nullptr;
    QProgressBar *m_progress = nullptr;
};

} // namespace dice::studio
