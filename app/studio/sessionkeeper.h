// Saves the session soon after each change, off the GUI thread. A crash costs at most the last half second of typing.
#pragma once

#include "app/studio/session.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>

namespace dice::studio {

class SessionKeeper : public QObject
{
    Q_OBJECT

public:
    // `snapshot` is called on this object's thread, whenever a save begins.
    SessionKeeper(QString file, std::function<Session()> snapshot, QObject *parent = nullptr);
    ~SessionKeeper() override; // saves what is not saved yet

    void noteChange();
    // Waits until everything is on the disk: for the end of the program.
    void flush();

Q_SIGNALS:
    void saved();
    void saveFailed(const dice::Error &error);

private:
    void saveInBackground();
    void handleSaved(const Status &status);

    const QString m_file;
    const std::function<Session()> m_snapshot;
    QTimer m_delay; // single shot; not restarted, so that steady typing is saved too
    bool m_isSaving = false;
    bool m_isChanged = false;
    QThreadPool m_pool; // one thread: saves keep their order
};

} // namespace dice::studio
