#include "core/evaluate/buildservice.h"

#include "core/build/artefactkey.h"
#include "core/build/buildlog.h"
#include "core/evaluate/toolchain.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace dice::evaluate {

namespace fs = std::filesystem;

namespace {

constexpr double buildLimitSeconds = 60.0;
constexpr double realHeadersLimitSeconds = 180.0;
constexpr std::int64_t maxCacheBytes = std::int64_t{2} << 30;
constexpr std::size_t maxLogBytes = 64 << 10;

std::vector<std::string> texts(const Json &list)
{
    return list.is_array() ? list.get<std::vector<std::string>>() : std::vector<std::string>();
}

Json commandsJson(const build::Rung &rung)
{
    Json list = Json::array();
    for (const build::CompileCommand &command : rung.commands)
        list.push_back({{"argv", command.argv}, {"parallel_group", command.parallelGroup}});
    return list;
}

bool allSucceeded(const Json &exitCodes, std::size_t numCommands)
{
    if (exitCodes.size() != numCommands)
        return false;
    for (const Json &code : exitCodes)
        if (code.get<int>() != 0)
            return false;
    return true;
}

} // namespace

struct BuildService::Asked
{
    build::BuildRequest request;
    std::map<std::string, int> firstLines; // of each source in the candidate's file; 0: not known

    static Asked read(const Json &json)
    {
        Asked asked;
        asked.request = build::makeInlineRequest(json.at("name").get<std::string>(), texts(json.at("cppSources")),
                                                 texts(json.at("cudaSources")));
        asked.request.isInline = json.at("hasImplicitHeaders").get<bool>();
        if (json.at("functions").is_object())
            for (const auto &[name, doc] : json.at("functions").items())
                asked.request.functions.push_back(name);
        asked.request.extraCflags = texts(json.at("extraCflags"));
        asked.request.extraCudaCflags = texts(json.at("extraCudaCflags"));
        asked.noteLines(asked.request.cppSources, json.at("cppLines"));
        asked.noteLines(asked.request.cudaSources, json.at("cudaLines"));
        return asked;
    }

    int lineInCandidate(const build::LogMessage &message) const
    {
        const auto found = firstLines.find(message.source);
        return found == firstLines.end() || found->second == 0 || message.line == 0 ? 0
                                                                                    : found->second + message.line - 1;
    }

private:
    void noteLines(const std::vector<build::SourceText> &sources, const Json &lines)
    {
        for (std::size_t i = 0; i < sources.size() && i < lines.size(); ++i)
            firstLines[sources[i].name] = lines[i].get<int>();
    }
};

struct BuildService::Site
{
    std::unique_ptr<Worker> box;
    const CancelToken &cancel;
};

BuildService::BuildService(const Installation &installation, BoxPool &pool)
    : m_pool(pool)
    , m_toolchain(toolchainOf(installation))
    , m_cache(installation.cacheFolder + "/artefacts", maxCacheBytes)
    , m_prover(installation, pool, m_cache)
{
}

BuildOutcome BuildService::build(const Json &json, BuildHeaders headers, const std::string &artefactFolder,
                                 const CancelToken &cancel)
{
    const auto started = std::chrono::steady_clock::now();
    BuildOutcome outcome;
    try {
        Asked asked = Asked::read(json);
        asked.request.headers = headers;
        const Result<build::BuildPlan> plan = build::planBuild(asked.request, m_toolchain);
        if (!plan) {
            outcome.end = BuildEnd::CompileError;
            outcome.message = plan.error().message;
        } else if (!plan->needsGpuReason.empty()) {
            outcome.end = BuildEnd::NeedsGpu;
            outcome.message = plan->needsGpuReason;
        } else {
            const std::string key = build::artefactKey(asked.request, m_toolchain);
            std::optional<build::CachedArtefact> cached = m_cache.find(key);
            Site site{nullptr, cancel};
            if (cached)
                outcome.report.rung = "cache";
            else
                outcome = buildByRungs(asked, *plan, key, site);
            if (!cached && outcome.end == BuildEnd::Built)
                cached = m_cache.find(key);
            if (cached && !deliver(*cached, artefactFolder, outcome))
                outcome.message = "the artefact could not be put into the candidate's box";
            if (outcome.end == BuildEnd::Built && !plan->gpuSource.text.empty())
                outcome.proof = m_prover.start(plan->gpuSource, std::move(site.box), cancel);
        }
        outcome.firstLines = asked.firstLines;
    } catch (const Json::exception &fault) {
        outcome.end = BuildEnd::CompileError;
        outcome.message = std::string("the request for a build cannot be read: ") + fault.what();
    }
    outcome.report.isBuilt = outcome.end == BuildEnd::Built;
    outcome.report.durationNs = std::chrono::nanoseconds(std::chrono::steady_clock::now() - started).count();
    return outcome;
}

BuildOutcome BuildService::buildByRungs(const Asked &asked, const build::BuildPlan &plan, const std::string &key,
                                        Site &site)
{
    BuildOutcome outcome;
    Result<std::unique_ptr<Worker>> taken = m_pool.take(WorkerRole::Build, site.cancel);
    if (!taken) {
        outcome.end = BuildEnd::HarnessFault;
        outcome.message = taken.error().message;
        return outcome;
    }
    site.box = std::move(*taken);
    for (std::size_t i = 0; i < plan.rungs.size(); ++i) {
        const build::Rung &rung = plan.rungs[i];
        std::map<std::string, std::string> outputs;
        const Result<Json> reply = compile(rung, outputs, site);
        if (!reply) {
            // The compiler ran into its limits: what the text did to it, unless the box itself is at fault.
            const ErrorCode code = reply.error().code;
            outcome.end = code == ErrorCode::Timeout || code == ErrorCode::ProcessFailed ? BuildEnd::CompileError
                                                                                         : BuildEnd::HarnessFault;
            outcome.message = "the build did not finish: " + reply.error().message;
            return outcome;
        }
        const bool isGood = allSucceeded(reply->at("exit_codes"), rung.commands.size());
        const std::string text = reply->at("log").get<std::string>();
        const std::vector<build::LogMessage> found = build::parseBuildLog(text, asked.request);
        takeMessages(asked, text, found, outcome);
        outcome.report.rung = build::toString(rung.kind);
        if (isGood) {
            const Result<build::CachedArtefact> stored
                = m_cache.store(key, outputs, Json{{"artefact", rung.outputs.front()}}.dump());
            outcome.end = stored ? BuildEnd::Built : BuildEnd::HarnessFault;
            if (!stored)
                outcome.message = stored.error().message;
            return outcome;
        }
        outcome.end = BuildEnd::CompileError;
        if (i + 1 == plan.rungs.size())
            break;
        if (build::isConclusiveFailure(found, asked.request)
            || nvrtcAgrees(asked, plan.gpuSource, outcome.report, site))
            break;
    }
    outcome.message = "the extension does not build";
    for (const BuildMessage &message : outcome.report.messages)
        if (message.severity == Severity::Error) {
            outcome.message = message.text;
            break;
        }
    return outcome;
}

// The report of a rung that knows the candidate's lines is not replaced by one that does not.
void BuildService::takeMessages(const Asked &asked, const std::string &log, const std::vector<build::LogMessage> &found,
                                BuildOutcome &outcome)
{
    std::vector<BuildMessage> messages;
    for (const build::LogMessage &message : found)
        messages.push_back({message.severity, asked.lineInCandidate(message), message.text});
    const auto knowsLines = [](const std::vector<BuildMessage> &list) {
        return std::any_of(list.begin(), list.end(), [](const BuildMessage &message) {
            return message.severity == Severity::Error && message.line > 0;
        });
    };
    if (knowsLines(outcome.report.messages) && !knowsLines(messages) && !messages.empty())
        return;
    outcome.report.messages = std::move(messages);
    outcome.report.log = build::shortenLog(log, maxLogBytes);
}

// Whether the GPU's own compiler refuses a line that the host's refused: then no other headers will help, and the
// slow rung is spared.
bool BuildService::nvrtcAgrees(const Asked &asked, const build::GpuSource &source, const BuildReport &report,
                               Site &site)
{
    const GpuProof proof = m_prover.prove(source, site.box.get(), site.cancel);
    if (proof.architecture.empty() || proof.isProven)
        return false;
    for (const build::LogMessage &message : build::parseBuildLog(proof.log, asked.request)) {
        const int line = asked.lineInCandidate(message);
        for (const BuildMessage &known : report.messages)
            if (line > 0 && known.line == line && known.severity == Severity::Error
                && message.severity == Severity::Error)
                return true;
    }
    return false;
}

Result<Json> BuildService::compile(const build::Rung &rung, std::map<std::string, std::string> &outputs, Site &site)
{
    const double limit = rung.kind == build::RungKind::Shim ? buildLimitSeconds : realHeadersLimitSeconds;
    Result<Json> reply = site.box->client.call(
        "compile", {{"files", rung.files}, {"commands", commandsJson(rung)}, {"outputs", rung.outputs}},
        {limit, site.cancel, {}});
    if (!reply)
        return reply;
    const std::span<const std::byte> arena = site.box->client.box().outputArena().bytes();
    for (const Json &output : reply->at("outputs")) {
        const auto offset = output.at("offset").get<std::size_t>();
        const auto size = output.at("size").get<std::size_t>();
        if (offset > arena.size() || size > arena.size() - offset)
            return failure(ErrorCode::ProcessFailed, "the build box described a file outside its memory");
        const auto *data = reinterpret_cast<const char *>(arena.data() + offset);
        outputs[output.at("name").get<std::string>()] = std::string(data, size);
    }
    return reply;
}

// Copies, never the cache's own files: whatever a candidate finds a way to change is its own. All outputs stay
// together: the artefact looks for the others beside it.
Status BuildService::deliver(const build::CachedArtefact &cached, const std::string &artefactFolder,
                             BuildOutcome &outcome)
{
    const Json report = Json::parse(cached.report, nullptr, false);
    const std::string name = report.is_object() ? report.value("artefact", "") : "";
    std::error_code fault;
    const auto numThere = std::distance(fs::directory_iterator(artefactFolder, fault), fs::directory_iterator());
    const std::string folder = "extension-" + std::to_string(numThere);
    if (!fault)
        fs::copy(cached.folder, fs::path(artefactFolder) / folder, fault);
    outcome.artefactName = folder + "/" + name;
    outcome.end = fault || name.empty() ? BuildEnd::HarnessFault : BuildEnd::Built;
    if (outcome.end == BuildEnd::HarnessFault)
        return failure(ErrorCode::Io, "the artefact could not be copied", fault.message());
    return {};
}

} // namespace dice::evaluate
