#include "session.h"

#include "core/base/log.h"
#include "core/engine/torchborder.h"

#include <thread>

namespace dice::engine {

Session::Session(FrameStream &stream, HandlerTable handlers)
    : m_stream(stream)
    , m_handlers(std::move(handlers))
{
}

int Session::run()
{
    m_stream.send(ipc::makeHello("dice-engine"));
    std::thread worker([this] { work(); });
    const bool isClosedWell = readMessages();
    cancelAll();
    worker.join();
    return isClosedWell ? 0 : 1;
}

// True when the peer closed the stream between messages.
bool Session::readMessages()
{
    bool hasHello = false;
    while (const std::optional<Result<ipc::Envelope>> message = m_stream.receive()) {
        const Status status = !*message ? tl::unexpected(message->error())
            : hasHello                  ? Status()
                                        : ipc::checkHello(**message);
        if (!status) {
            spdlog::error("message refused: {} ({})", status.error().message, status.error().detail);
            m_stream.send(ipc::makeErrorReply(RequestId(), status.error()));
            return false;
        }
        if (hasHello)
            accept(**message);
        hasHello = true;
    }
    return true;
}

bool Session::accept(const ipc::Envelope &envelope)
{
    if (envelope.type == ipc::MessageType::Cancel) {
        cancel(envelope.id);
        return true;
    }
    if (envelope.type != ipc::MessageType::Request)
        return false;
    const std::lock_guard lock(m_mutex);
    m_open.try_emplace(envelope.id);
    m_waiting.push_back(envelope);
    m_changed.notify_one();
    return true;
}

void Session::cancel(RequestId id)
{
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_open.find(id); found != m_open.end())
        found->second.cancel();
}

void Session::cancelAll()
{
    const std::lock_guard lock(m_mutex);
    m_isEnding = true;
    for (const auto &[id, token] : m_open)
        token.cancel();
    m_waiting.clear();
    m_changed.notify_one();
}

std::optional<ipc::Envelope> Session::takeRequest()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_isEnding || !m_waiting.empty(); });
    if (m_isEnding)
        return std::nullopt;
    ipc::Envelope request = std::move(m_waiting.front());
    m_waiting.pop_front();
    return request;
}

void Session::work()
{
    while (const std::optional<ipc::Envelope> request = takeRequest()) {
        const ipc::Envelope reply = answer(*request);
        {
            const std::lock_guard lock(m_mutex);
            m_open.erase(request->id);
        }
        if (!m_stream.send(reply))
            return; // the reader sees the closed stream too
    }
}

ipc::Envelope Session::answer(const ipc::Envelope &request)
{
    const auto handler = m_handlers.find(request.name);
    if (handler == m_handlers.end())
        return ipc::makeErrorReply(
            request.id, makeError(ErrorCode::Unsupported, "dice-engine has no request '" + request.name + "'"));
    RequestContext context;
    {
        const std::lock_guard lock(m_mutex);
        context.cancel = m_open[request.id];
    }
    context.sendEvent = [&, token = context.cancel](std::string name, Json payload) {
        if (!m_stream.send(ipc::makeEvent(request.id, std::move(name), std::move(payload))))
            token.cancel();
    };
    const Result<Json> reply
        = guarded("the request " + request.name, [&] { return handler->second(request.payload, context); });
    if (reply)
        return ipc::makeReply(request.id, *reply);
    spdlog::info("{}: {} ({})", request.name, reply.error().message, reply.error().detail);
    return ipc::makeErrorReply(request.id, reply.error());
}

} // namespace dice::engine
