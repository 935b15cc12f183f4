#include "app/worker/requestloop.h"

namespace dice::worker {

void answerRequests(FrameChannel &channel, const Receive &receive, const Answer &answer)
{
    while (std::optional<ipc::Envelope> request = receive()) {
        if (request->type != ipc::MessageType::Request)
            continue;
        Result<Json> reply = failure(ErrorCode::Internal, "not answered");
        try {
            reply = answer(*request);
        } catch (const std::exception &fault) {
            reply = failure(ErrorCode::ProcessFailed, "the worker could not answer '" + request->name + "'",
                            fault.what());
        }
        channel.send(reply ? ipc::makeReply(request->id, std::move(*reply))
                           : ipc::makeErrorReply(request->id, reply.error()));
    }
}

} // namespace dice::worker
