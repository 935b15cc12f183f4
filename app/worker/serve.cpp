#include "app/worker/serve.h"

#include "app/worker/buildrole.h"
#include "app/worker/candidatemodule.h"
#include "app/worker/candidaterole.h"
#include "app/worker/referencerole.h"

#include <unistd.h>

#include <cstdio>
#include <functional>

namespace py = pybind11;

namespace dice::worker {

namespace {

using Answer = std::function<Result<Json>(const ipc::Envelope &)>;

void loop(FrameChannel &channel, const Answer &answer, bool hasPython)
{
    while (true) {
        std::optional<ipc::Envelope> request;
        if (hasPython) {
            const py::gil_scoped_release released;
            request = channel.receive();
        } else {
            request = channel.receive();
        }
        if (!request)
            return;
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

void serveBuild(Arenas &arenas, FrameChannel &channel)
{
    BuildRole role(arenas);
    channel.send(ipc::makeHello("dice-worker", {{"role", "build"}}));
    loop(
        channel, [&role](const ipc::Envelope &request) { return role.answer(request.name, request.payload); }, false);
}

void serveReference(Arenas &arenas, FrameChannel &channel)
{
    ReferenceRole role(arenas);
    channel.send(ipc::makeHello("dice-worker", {{"role", "reference"}}));
    loop(
        channel, [&role](const ipc::Envelope &request) { return role.answer(request.name, request.payload); }, true);
}

void serveCandidate(Arenas &arenas, FrameChannel &channel)
{
    CandidateRole role(arenas, channel);
    channel.send(ipc::makeHello("dice-worker", {{"role", "candidate"}}));
    loop(
        channel, [&role](const ipc::Envelope &request) { return role.answer(request); }, true);
}

Status serveRole(const WorkerOptions &options, FrameChannel &channel)
{
    Result<Arenas> arenas = Arenas::map();
    if (!arenas)
        return tl::unexpected(arenas.error());
    if (options.role == "build") {
        serveBuild(*arenas, channel);
        return {};
    }
    if (Status started = startInterpreter(options.interpreter); !started)
        return started;
    if (options.role == "reference") {
        serveReference(*arenas, channel);
        return {};
    }
    installTensorHost();
    serveCandidate(*arenas, channel);
    return {};
}

} // namespace

int serve(const WorkerOptions &options, FrameChannel &channel)
{
    int status = 0;
    try {
        if (Status served = serveRole(options, channel); !served) {
            std::fprintf(stderr, "%s: %s\n", served.error().message.c_str(), served.error().detail.c_str());
            status = 1;
        }
    } catch (const std::exception &fault) {
        std::fprintf(stderr, "dice-worker: %s\n", fault.what());
        status = 1;
    }
    // Without destructors: nothing that a candidate left behind runs now.
    std::fflush(nullptr);
    ::_exit(status);
}

} // namespace dice::worker
