// The life of one dice-engine process: one thread reads messages, so that a cancel is seen at once; another works on
// the requests in the order they came. Every request gets exactly one reply or error.
#pragma once

#include "app/engine/framestream.h"
#include "app/engine/requesthandlers.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace dice::engine {

class Session
{
public:
    Session(FrameStream &stream, HandlerTable handlers);

    // Until the peer closes the stream or breaks the protocol; work in progress is then cancelled.
    // The process's exit code: 0 after a closed stream, 1 after a broken one.
    int run();

private:
    bool readMessages();
    bool accept(const ipc::Envelope &envelope);
    void cancel(RequestId id);
    void cancelAll();
    void work();
    std::optional<ipc::Envelope> takeRequest();
    ipc::Envelope answer(const ipc::Envelope &request);

    FrameStream &m_stream;
    HandlerTable m_handlers;
    std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    std::deque<ipc::Envelope> m_waiting;
    std::unordered_map<RequestId, CancelToken> m_open; // from arrival to reply
    bool m_isEnding = false;
};

} // namespace dice::engine
