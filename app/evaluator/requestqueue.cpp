#include "app/evaluator/requestqueue.h"

namespace dice::evaluator {

void RequestQueue::push(ipc::Envelope request)
{
    {
        const std::lock_guard lock(m_mutex);
        QueuedRequest queued{std::move(request), {}};
        m_tokens[queued.envelope.id] = queued.cancel;
        m_waiting.push_back(std::move(queued));
    }
    m_changed.notify_one();
}

std::optional<QueuedRequest> RequestQueue::pop()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_isClosed || !m_waiting.empty(); });
    if (m_isClosed)
        return std::nullopt;
    QueuedRequest next = std::move(m_waiting.front());
    m_waiting.pop_front();
    return next;
}

void RequestQueue::finished(RequestId id)
{
    const std::lock_guard lock(m_mutex);
    m_tokens.erase(id);
}

void RequestQueue::cancel(RequestId id)
{
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_tokens.find(id); found != m_tokens.end())
        found->second.cancel();
}

void RequestQueue::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isClosed = true;
        for (const auto &[id, token] : m_tokens)
            token.cancel();
    }
    m_changed.notify_all();
}

std::size_t RequestQueue::numWaiting()
{
    const std::lock_guard lock(m_mutex);
    return m_waiting.size();
}

} // namespace dice::evaluator
