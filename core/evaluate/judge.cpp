#include "core/evaluate/judge.h"

#include "core/evaluate/hearing.h"

namespace dice::evaluate {

namespace {

constexpr double prepareLimitSeconds = 30.0;
constexpr std::size_t maxModuleBytes = 4 << 20;

Status checkRequest(const VerifyRequest &request)
{
    if (request.device != "cpu" && request.device != "auto")
        return failure(ErrorCode::Unsupported,
                       "the device '" + request.device + "' cannot be judged on yet; use --device cpu");
    if (request.numTrials < 1 || request.numTrials > 1000)
        return failure(ErrorCode::InvalidArgument, "the number of trials must be from 1 to 1000");
    for (const ModuleSource *source : {&request.reference, &request.candidate})
        if (source->text.size() > maxModuleBytes)
            return failure(ErrorCode::InvalidArgument,
                           source->name + " has over 4 MiB; a module of that size cannot be judged");
    return {};
}

} // namespace

Result<Verdict> Judge::verify(const VerifyRequest &request, const CancelToken &cancel, const StageSink &onStage)
{
    if (Status fine = checkRequest(request); !fine)
        return tl::unexpected(fine.error());
    const Clock::time_point started = Clock::now();
    Hearing hearing(m_pool, m_builds, request, cancel, onStage);
    Result<Verdict> verdict = hearing.hear();
    if (!verdict) {
        Error error = verdict.error();
        if (error.code == ErrorCode::InvalidArgument)
            error.message = request.reference.name + ": " + error.message;
        return tl::unexpected(error);
    }
    for (std::string &warning : m_sandbox.warnings())
        verdict->warnings.push_back(std::move(warning));
    verdict->durationNs = std::chrono::nanoseconds(Clock::now() - started).count();
    return verdict;
}

Result<PreparedModule> Judge::prepare(const ModuleSource &module, const CancelToken &cancel)
{
    if (module.text.size() > maxModuleBytes)
        return PreparedModule{{}, {}, {module.name + " has over 4 MiB; paste the one module that the kernel is for"}};
    Result<std::unique_ptr<Worker>> worker = m_pool.take(WorkerRole::Reference, cancel);
    if (!worker)
        return tl::unexpected(worker.error());
    Result<Json> reply = (*worker)->client.call("prepare", {{"text", module.text}}, {prepareLimitSeconds, cancel, {}});
    if (!reply)
        return failure(reply.error().code == ErrorCode::Cancelled ? ErrorCode::Cancelled : ErrorCode::InvalidArgument,
                       module.name + " could not be looked at: " + reply.error().message, reply.error().detail);
    return preparedModuleFromJson(*reply);
}

} // namespace dice::evaluate
