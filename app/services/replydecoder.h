// Between a channel's JSON and a client's typed answer: a reply that does not decode is the other process's fault.
#pragma once

#include "app/services/processchannel.h"

namespace dice::services {

template <typename T>
ProcessChannel::ReplyHandler decodeReply(std::function<Result<T>(const Json &)> decode,
                                         std::function<void(Result<T>)> done)
{
    return [decode = std::move(decode), done = std::move(done)](const Result<Json> &reply) {
        if (!reply)
            done(tl::unexpected(reply.error()));
        else
            done(decode(*reply));
    };
}

} // namespace dice::services
