#include "core/evaluate/workerclient.h"

namespace dice::evaluate {

namespace {

constexpr int pollMilliseconds = 20; // how late a cancel may be seen
constexpr int maxStrayEnvelopes = 10000; // a worker that only chatters never answers

constexpr double stretch = 3.0;

Clock::duration secondsLong(double seconds)
{
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

} // namespace

Status WorkerClient::awaitHello(double limitSeconds, const CancelToken &cancel)
{
    Result<ipc::Envelope> hello = receive(deadlineIn(limitSeconds), cancel);
    if (!hello)
        return tl::unexpected(hello.error());
    if (Status known = ipc::checkHello(*hello); !known)
        return ended(ErrorCode::ProcessFailed, known.error().message);
    return {};
}

Result<Json> WorkerClient::call(const std::string &name, Json payload, const CallOptions &options)
{
    if (!m_isAlive)
        return failure(ErrorCode::ProcessFailed, m_end);
    const RequestId id(++m_lastId);
    Deadline deadline = deadlineIn(options.limitSeconds);
    if (Status sent = send(ipc::makeRequest(id, name, std::move(payload)), deadline, options.cancel); !sent)
        return tl::unexpected(sent.error());
    for (int stray = 0; stray < maxStrayEnvelopes; ++stray) {
        Result<ipc::Envelope> envelope = receive(deadline, options.cancel);
        if (!envelope)
            return tl::unexpected(envelope.error());
        if (envelope->id != id)
            continue;
        if (envelope->type == ipc::MessageType::Reply)
            return std::move(envelope->payload);
        if (envelope->type == ipc::MessageType::Error)
            return tl::unexpected(ipc::errorOf(*envelope));
        if (envelope->type != ipc::MessageType::Event || !options.onEvent)
            continue;
        const Clock::time_point started = Clock::now();
        Json answer = options.onEvent(envelope->payload);
        deadline.end += Clock::now() - started;
        if (Status sent
            = send(ipc::makeRequest(id, envelope->name + ".result", std::move(answer)), deadline, options.cancel);
            !sent)
            return tl::unexpected(sent.error());
    }
    return ended(ErrorCode::ProcessFailed, "it sent messages without end and no answer");
}

Result<ipc::Envelope> WorkerClient::receive(const Deadline &deadline, const CancelToken &cancel)
{
    std::string bytes;
    while (m_isAlive) {
        Result<std::optional<std::string>> frame = m_decoder.next();
        if (!frame)
            return ended(ErrorCode::InvalidData, "it wrote something else than messages into its pipe");
        if (*frame) {
            Result<ipc::Envelope> envelope = ipc::decode(**frame);
            if (!envelope)
                return ended(ErrorCode::InvalidData, "it wrote a broken message into its pipe");
            return envelope;
        }
        if (Status inTime = checkTime(deadline, cancel); !inTime)
            return tl::unexpected(inTime.error());
        m_box->wait(Box::WaitFor::Reading, pollMilliseconds);
        bytes.clear();
        const ReadOutcome outcome = m_box->readReplies(bytes);
        if (outcome == ReadOutcome::Closed)
            return ended(ErrorCode::ProcessFailed, {});
        m_decoder.append(bytes);
    }
    return failure(ErrorCode::ProcessFailed, m_end);
}

Status WorkerClient::send(const ipc::Envelope &envelope, const Deadline &deadline, const CancelToken &cancel)
{
    const std::string frame = ipc::encodeFrame(ipc::encode(envelope));
    std::string_view rest = frame;
    while (!rest.empty()) {
        const std::ptrdiff_t written = m_box->writeRequests(rest);
        if (written < 0)
            return ended(ErrorCode::ProcessFailed, {});
        rest.remove_prefix(static_cast<std::size_t>(written));
        if (rest.empty())
            break;
        if (Status inTime = checkTime(deadline, cancel); !inTime)
            return inTime;
        m_box->wait(Box::WaitFor::ReadingOrWriting, pollMilliseconds);
    }
    return {};
}

Status WorkerClient::checkTime(const Deadline &deadline, const CancelToken &cancel)
{
    if (cancel.isCancelled()) {
        kill();
        m_end = "it was stopped";
        return failure(ErrorCode::Cancelled, "stopped");
    }
    const Clock::time_point now = Clock::now();
    if (now < deadline.end)
        return {};
    const bool isStarved = m_box->processorSeconds() - deadline.processorSecondsBefore < 0.5 * deadline.limitSeconds;
    if (isStarved && now < deadline.end + secondsLong((stretch - 1.0) * deadline.limitSeconds))
        return {};
    return ended(ErrorCode::Timeout, "it gave no answer within its time");
}

WorkerClient::Deadline WorkerClient::deadlineIn(double seconds) const
{
    return {Clock::now() + secondsLong(seconds), seconds, m_box->processorSeconds()};
}

tl::unexpected<Error> WorkerClient::ended(ErrorCode code, const std::string &message)
{
    const std::string end = m_box->describeEnd();
    m_isAlive = false;
    m_end = message.empty() ? end : message;
    return failure(code, m_end, m_box->errorOutput());
}

void WorkerClient::kill()
{
    m_isAlive = false;
    if (m_end.empty())
        m_end = "it was stopped";
    m_box->kill();
}

} // namespace dice::evaluate
