// One answer a request, until the judge closes the pipe.
#pragma once

#include "app/worker/framechannel.h"

#include <functional>

namespace dice::worker {

using Receive = std::function<std::optional<ipc::Envelope>()>; // FrameChannel::receive, or something around it
using Answer = std::function<Result<Json>(const ipc::Envelope &)>;

void answerRequests(FrameChannel &channel, const Receive &receive, const Answer &answer);

} // namespace dice::worker
