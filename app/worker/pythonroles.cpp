#include "app/worker/pythonroles.h"

#include "app/worker/candidatemodule.h"
#include "app/worker/candidaterole.h"
#include "app/worker/interpreter.h"
#include "app/worker/referencerole.h"
#include "app/worker/requestloop.h"

namespace py = pybind11;

namespace dice::worker {

namespace {

void serveReference(Arenas &arenas, FrameChannel &channel, const Receive &receive)
{
    ReferenceRole role(arenas);
    channel.send(ipc::makeHello("dice-worker", {{"role", "reference"}}));
    answerRequests(channel, receive,
                   [&role](const ipc::Envelope &request) { return role.answer(request.name, request.payload); });
}

void serveCandidate(Arenas &arenas, FrameChannel &channel, const Receive &receive)
{
    installTensorHost();
    CandidateRole role(arenas, channel);
    channel.send(ipc::makeHello("dice-worker", {{"role", "candidate"}}));
    answerRequests(channel, receive, [&role](const ipc::Envelope &request) { return role.answer(request); });
}

} // namespace

extern "C" __attribute__((visibility("default"))) void diceServePythonRole(const WorkerOptions &options, Arenas &arenas,
                                                                           FrameChannel &channel, Status &end)
{
    end = startInterpreter(options.interpreter);
    if (!end)
        return;
    const Receive receive = [&channel] {
        const py::gil_scoped_release released;
        return channel.receive();
    };
    if (options.role == "reference")
        serveReference(arenas, channel, receive);
    else
        serveCandidate(arenas, channel, receive);
}

} // namespace dice::worker
