// What both Python roles' sessions share: a call whose reply may be the text's own failure, and reading an answer.
#pragma once

#include "core/evaluate/workerprotocol.h"

#include <algorithm>
#include <stdexcept>

namespace dice::evaluate {

inline Outcome<Json> sessionCall(WorkerClient &client, const char *name, Json payload,
                                 const WorkerClient::CallOptions &options)
{
    Result<Json> reply = client.call(name, std::move(payload), options);
    if (!reply)
        return {std::nullopt, std::nullopt, reply.error()};
    if (reply->is_object() && !reply->contains("launches")) // a call of forward keeps its error beside the rest
        if (std::optional<TextFailure> failed = textFailureOf(*reply))
            return {std::nullopt, std::move(failed), std::nullopt};
    return {std::move(*reply), std::nullopt, std::nullopt};
}

// `read` throws for a reply that is not what was asked for: the worker's fault.
template <typename T, typename Read> Outcome<T> readAnswer(Outcome<Json> reply, Read read)
{
    if (!reply)
        return reply.template failureAs<T>();
    try {
        return {read(*reply), std::nullopt, std::nullopt};
    } catch (const std::exception &fault) {
        return {std::nullopt, std::nullopt,
                makeError(ErrorCode::ProcessFailed, "it gave an answer that cannot be read", fault.what())};
    }
}

inline CallValues valuesOf(const Json &tree, std::span<const std::byte> arena)
{
    Result<CallValues> values = takeValues(tree, arena);
    if (!values)
        throw std::runtime_error(values.error().message);
    return std::move(*values);
}

// Bytes of values go where their tree says, in the arena that the worker reads.
inline void placeValues(Box &box, const CallValues &values)
{
    const std::span<std::byte> arena = box.inputArena().writableBytes();
    std::copy_n(values.bytes.begin(), std::min(values.bytes.size(), arena.size()), arena.begin());
}

} // namespace dice::evaluate
