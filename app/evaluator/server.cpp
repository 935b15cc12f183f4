#include "app/evaluator/server.h"

#include "app/evaluator/messagestream.h"
#include "app/evaluator/requestqueue.h"
#include "core/base/log.h"
#include "core/evaluate/judge.h"
#include "core/evaluate/toolchain.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace dice::evaluator {

namespace {

constexpr int numJudges = 2; // a verdict that waits for a hanging kernel holds up no other
constexpr int waitingBoxes = 1;

using evaluate::BoxPool;
using evaluate::BuildService;
using evaluate::Installation;
using evaluate::Judge;
using evaluate::Sandbox;

// Everything that lasts as long as the process.
class Server
{
public:
    Server(const Installation &installation, std::string runtimeFolder)
        : m_installation(installation)
        , m_sandbox(Sandbox::probe(m_installation))
        , m_pool(m_sandbox, std::move(runtimeFolder))
        , m_builds(m_installation, m_pool)
        , m_judge(m_pool, m_builds, m_sandbox)
    {
        evaluate::sweepControlGroups(m_sandbox.controlGroupPlaces());
    }

    void run()
    {
        m_pool.setTarget(waitingBoxes);
        std::vector<std::thread> judges;
        for (int i = 0; i < numJudges; ++i)
            judges.emplace_back([this] { judgeRequests(); });
        m_stream.write(ipc::makeHello("dice-evaluator", {{"sandbox", m_sandbox.level()}}));
        while (std::optional<ipc::Envelope> message = m_stream.read()) {
            if (message->type == ipc::MessageType::Cancel)
                m_queue.cancel(message->id);
            else if (message->type == ipc::MessageType::Request)
                m_queue.push(std::move(*message));
        }
        m_queue.close();
        for (std::thread &judge : judges)
            judge.join();
    }

private:
    void judgeRequests()
    {
        while (std::optional<QueuedRequest> request = m_queue.pop()) {
            const RequestId id = request->envelope.id;
            Result<Json> reply = answer(*request);
            m_queue.finished(id);
            m_stream.write(reply ? ipc::makeReply(id, std::move(*reply)) : ipc::makeErrorReply(id, reply.error()));
            m_pool.setTarget(waitingBoxes);
        }
    }

    Result<Json> answer(const QueuedRequest &request)
    {
        const std::string &name = request.envelope.name;
        try {
            if (request.cancel.isCancelled())
                return failure(ErrorCode::Cancelled, "stopped before it began");
            if (name == "sandbox")
                return sandbox();
            if (name == "prepare")
                return prepare(request);
            if (name == "verify")
                return verify(request);
        } catch (const std::exception &fault) {
            return failure(ErrorCode::Internal, "the judge failed on a request '" + name + "'", fault.what());
        }
        return failure(ErrorCode::InvalidArgument, "dice-evaluator has no request '" + name + "'");
    }

    Json sandbox() const
    {
        Json layers = Json::array();
        for (const evaluate::SandboxLayer &layer : m_sandbox.layers())
            layers.push_back(
                {{"name", layer.name}, {"works", layer.works}, {"detail", layer.detail}, {"repair", layer.repair}});
        return {{"layers", layers}, {"level", m_sandbox.level()}};
    }

    Result<Json> prepare(const QueuedRequest &request)
    {
        const Result<ModuleSource> module = moduleSourceFromJson(request.envelope.payload);
        if (!module)
            return tl::unexpected(module.error());
        const Result<PreparedModule> prepared = m_judge.prepare(*module, request.cancel);
        if (!prepared)
            return tl::unexpected(prepared.error());
        return toJson(*prepared);
    }

    Result<Json> verify(const QueuedRequest &request)
    {
        const Result<VerifyRequest> wanted = verifyRequestFromJson(request.envelope.payload);
        if (!wanted)
            return tl::unexpected(wanted.error());
        // Alone, the boxes of the next verdict can wait until this one is out.
        m_pool.setTarget(m_queue.numWaiting() > 0 ? waitingBoxes + 1 : 0);
        const auto onStage = [&](const std::string &stage, const Verdict &soFar) {
            m_stream.write(
                ipc::makeEvent(request.envelope.id, "stage", {{"stage", stage}, {"verdict", toJson(soFar)}}));
        };
        const Result<Verdict> verdict = m_judge.verify(*wanted, request.cancel, onStage);
        if (!verdict)
            return tl::unexpected(verdict.error());
        return toJson(*verdict);
    }

    Installation m_installation;
    Sandbox m_sandbox;
    BoxPool m_pool;
    BuildService m_builds;
    Judge m_judge;
    MessageStream m_stream;
    RequestQueue m_queue;
};

int refuse(const Error &error)
{
    spdlog::error("{} {}", error.message, error.detail);
    MessageStream stream;
    stream.write(ipc::makeHello("dice-evaluator", {{"sandbox", "none"}, {"fault", error.message}}));
    while (std::optional<ipc::Envelope> message = stream.read())
        if (message->type == ipc::MessageType::Request)
            stream.write(ipc::makeErrorReply(message->id, error));
    return 1;
}

} // namespace

int serve(const ServerOptions &options)
{
    ::signal(SIGPIPE, SIG_IGN);
    const Result<Installation> installation
        = evaluate::findInstallation(options.programFolder, options.python, options.cacheFolder);
    if (!installation)
        return refuse(installation.error());
    Result<evaluate::TemporaryFolder> runtime = evaluate::createRuntimeFolder();
    if (!runtime)
        return refuse(runtime.error());
    Server(*installation, runtime->path()).run();
    return 0;
}

int precompile(const ServerOptions &options, const std::string &folder)
{
    Status done = evaluate::findInstallation(options.programFolder, options.python, options.cacheFolder)
                      .and_then([&](const Installation &found) { return evaluate::precompileHeaders(found, folder); });
    if (!done)
        std::fprintf(stderr, "dice-evaluator: %s\n%s\n", done.error().message.c_str(), done.error().detail.c_str());
    return done ? 0 : 1;
}

} // namespace dice::evaluator
