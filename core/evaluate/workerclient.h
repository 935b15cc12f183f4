// Requests and replies with one worker. What comes back is untrusted: frames are capped, a reply to an older
// request is dropped, and every failure says what the worker did, never that the harness is at fault.
#pragma once

#include "core/base/canceltoken.h"
#include "core/evaluate/box.h"
#include "core/ipc/envelope.h"
#include "core/ipc/framecodec.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace dice::evaluate {

using Clock = std::chrono::steady_clock;

class WorkerClient
{
public:
    // Answers an event with the payload of a request "<event>.result" to the worker; the time it takes is not
    // counted as the worker's.
    using EventHandler = std::function<Json(const Json &payload)>;

    explicit WorkerClient(std::unique_ptr<Box> box)
        : m_box(std::move(box))
    {
    }

    // Until the worker said hello: torch is imported, no candidate seen.
    Status awaitHello(double limitSeconds, const CancelToken &cancel);

    struct CallOptions
    {
        double limitSeconds = 20.0;
        CancelToken cancel;
        EventHandler onEvent; // none: events are dropped
    };
    // Timeout (the box is gone then), ProcessFailed (it ended), InvalidData (bytes in the pipe that the worker's own
    // code does not write), Cancelled.
    Result<Json> call(const std::string &name, Json payload, const CallOptions &options);

    Box &box() { return *m_box; }
    bool isAlive() const { return m_isAlive; }
    void kill();

private:
    // A limit on the judge's clock, stretched at most threefold while the machine gives the box less than half of it:
    // a busy machine makes no kernel a hanging one.
    struct Deadline
    {
        Clock::time_point end;
        double limitSeconds;
        double processorSecondsBefore;
    };
    Deadline deadlineIn(double seconds) const;

    Result<ipc::Envelope> receive(const Deadline &deadline, const CancelToken &cancel);
    Status send(const ipc::Envelope &envelope, const Deadline &deadline, const CancelToken &cancel);
    Status checkTime(const Deadline &deadline, const CancelToken &cancel);
    tl::unexpected<Error> ended(ErrorCode code, const std::string &message);

    std::unique_ptr<Box> m_box;
    ipc::FrameDecoder m_decoder{ipc::maxWorkerFrameBytes};
    std::uint64_t m_lastId = 0;
    bool m_isAlive = true;
    std::string m_end; // why it is no longer alive
};

} // namespace dice::evaluate
