#include "app/studio/sessionkeeper.h"

namespace dice::studio {

static constexpr int delayMs = 400;

SessionKeeper::SessionKeeper(QString file, std::function<Session()> snapshot, QObject *parent)
    : QObject(parent)
    , m_file(std::move(file))
    , m_snapshot(std::move(snapshot))
{
    m_pool.setMaxThreadCount(1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &SessionKeeper::saveInBackground);
}

SessionKeeper::~SessionKeeper()
{
    flush();
}

void SessionKeeper::noteChange()
{
    m_isChanged = true;
    if (!m_isSaving && !m_delay.isActive())
        m_delay.start();
}

void SessionKeeper::saveInBackground()
{
    m_isChanged = false;
    m_isSaving = true;
    m_pool.start([this, file = m_file, session = m_snapshot()] {
        const Status status = writeSession(file, session);
        QMetaObject::invokeMethod(
            this, [this, status] { handleSaved(status); }, Qt::QueuedConnection);
    });
}

void SessionKeeper::handleSaved(const Status &status)
{
    m_isSaving = false;
    if (m_isChanged)
        m_delay.start();
    if (status)
        Q_EMIT saved();
    else
        Q_EMIT saveFailed(status.error());
}

void SessionKeeper::flush()
{
    m_delay.stop();
    m_pool.waitForDone();
    if (!m_isChanged)
        return;
    m_isChanged = false;
    if (const Status status = writeSession(m_file, m_snapshot()); !status)
        Q_EMIT saveFailed(status.error());
}

} // namespace dice::studio
