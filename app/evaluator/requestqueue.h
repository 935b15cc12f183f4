// Requests that wait for a judge's thread, and the way to cancel them.
#pragma once

#include "core/base/canceltoken.h"
#include "core/ipc/envelope.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace dice::evaluator {

struct QueuedRequest
{
    ipc::Envelope envelope;
    CancelToken cancel;
};

class RequestQueue
{
public:
    void push(ipc::Envelope request);
    // Nothing when the queue has been closed.
    std::optional<QueuedRequest> pop();
    void finished(RequestId id);
    // A request that still waits is answered by its judge all the same: with Cancelled.
    void cancel(RequestId id);
    void close(); // cancels all
    std::size_t numWaiting();

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<QueuedRequest> m_waiting;
    std::map<RequestId, CancelToken> m_tokens; // of waiting and running requests
    bool m_isClosed = false;
};

} // namespace dice::evaluator
