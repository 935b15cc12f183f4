// Turns Ctrl-C and a polite kill into a signal of the event loop. The second Ctrl-C ends the process at once.
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace dice::cli {

class InterruptWatcher : public QObject
{
    Q_OBJECT

public:
    InterruptWatcher(); // one at a time in a process
    ~InterruptWatcher() override;

Q_SIGNALS:
    void interrupted();

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace dice::cli
