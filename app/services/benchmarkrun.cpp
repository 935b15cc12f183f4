#include "benchmarkrun.h"

#include "core/base/log.h"
#include "core/store/atomicfile.h"

#include <QDateTime>

#include <algorithm>
#include <set>
#include <utility>

namespace dice::services {

namespace {

constexpr int maxEngineFailures = 3; // in a row: then it is the engine, not the tasks

std::filesystem::path resultsFile(const std::filesystem::path &folder)
{
    return folder / "results.jsonl";
}

qint64 nowMs()
{
    return QDateTime::currentMSecsSinceEpoch();
}

} // namespace

Json BenchmarkSettings::toJson() const
{
    return {{"kind", "bench"},
            {"model", modelFolder},
            {"device", device},
            {"decoding", dice::toJson(decoding)},
            {"protocol", toString(protocol)},
            {"trials", numTrials}};
}

Json BenchmarkResult::toJson() const
{
    return {{"level", level},          {"name", name},      {"word", word}, {"reason", reason}, {"seconds", seconds},
            {"num_tokens", numTokens}, {"scaled", isScaled}};
}

Result<BenchmarkResult> BenchmarkResult::fromJson(const Json &json)
{
    return decodeJson<BenchmarkResult>(json, "benchmark result", [](const Json &from) -> Result<BenchmarkResult> {
        BenchmarkResult result;
        from.at("level").get_to(result.level);
        from.at("name").get_to(result.name);
        from.at("word").get_to(result.word);
        from.at("reason").get_to(result.reason);
        from.at("seconds").get_to(result.seconds);
        from.at("num_tokens").get_to(result.numTokens);
        from.at("scaled").get_to(result.isScaled);
        return result;
    });
}

std::map<std::string, LevelScore> scoreLevels(const std::vector<BenchmarkResult> &results)
{
    std::map<std::string, LevelScore> scores;
    for (const BenchmarkResult &result : results) {
        LevelScore &score = scores[result.level];
        ++score.numTasks;
        score.numCorrect += result.word == toString(VerdictWord::Correct) ? 1 : 0;
    }
    return scores;
}

std::map<std::string, int> countWords(const std::vector<BenchmarkResult> &results)
{
    std::map<std::string, int> counts;
    for (const BenchmarkResult &result : results)
        ++counts[result.word];
    return counts;
}

BenchmarkRun::BenchmarkRun(Studio &studio, VerifyQueue &queue, BenchmarkSettings settings, QObject *parent)
    : QObject(parent)
    , m_studio(studio)
    , m_queue(queue)
    , m_settings(std::move(settings))
{
    connect(&m_studio, &Studio::finished, this, &BenchmarkRun::handleGenerated);
    connect(&m_studio, &Studio::failed, this, &BenchmarkRun::handleFailed);
}

Status BenchmarkRun::start(const std::filesystem::path &folder, std::vector<BenchmarkTask> tasks)
{
    m_folder = folder;
    m_numTasks = static_cast<int>(tasks.size());
    if (const Status opened = openRun(folder); !opened)
        return opened;
    std::set<std::string> done;
    for (const BenchmarkResult &result : m_results)
        done.insert(result.level + "/" + result.name);
    std::erase_if(tasks, [&done](const BenchmarkTask &task) { return done.contains(task.id()); });
    std::ranges::reverse(tasks);
    m_tasks = std::move(tasks);
    m_hasEnded = false;
    QMetaObject::invokeMethod(this, &BenchmarkRun::startNext, Qt::QueuedConnection);
    return {};
}

Status BenchmarkRun::openRun(const std::filesystem::path &folder)
{
    const Json config = m_settings.toJson();
    if (store::RunFolder::isRun(folder)) {
        const Result<store::RunFolder> run = store::RunFolder::open(folder);
        if (!run)
            return tl::unexpected(run.error());
        if (run->config() != config)
            return failure(ErrorCode::InvalidArgument,
                           "the run in " + folder.string()
                               + " was started with other settings (see its config.json); give another folder");
        const Result<std::vector<Json>> lines = store::JsonLinesReader(resultsFile(folder)).readNew();
        if (!lines)
            return tl::unexpected(lines.error());
        for (const Json &line : *lines) {
            if (Result<BenchmarkResult> result = BenchmarkResult::fromJson(line))
                m_results.push_back(std::move(*result));
        }
    } else if (const auto created = store::RunFolder::create(folder, config); !created) {
        return tl::unexpected(created.error());
    }
    Result<store::JsonLinesWriter> writer = store::JsonLinesWriter::open(resultsFile(folder));
    if (!writer)
        return tl::unexpected(writer.error());
    m_writer.emplace(std::move(*writer));
    return {};
}

void BenchmarkRun::stop()
{
    if (m_hasEnded)
        return;
    m_hasEnded = true;
    m_tasks.clear();
    m_studio.stop();
    QMetaObject::invokeMethod(this, &BenchmarkRun::ended, Qt::QueuedConnection);
}

void BenchmarkRun::startNext()
{
    // One more than there are judges waits, so that none is ever idle; more would only hold memory.
    while (!m_hasEnded && !m_tasks.empty() && !m_generating && m_queue.numOpen() <= m_queue.numJudges()) {
        const BenchmarkTask task = std::move(m_tasks.back());
        m_tasks.pop_back();
        if (task.kernel)
            verify({task, nowMs(), 0}, *task.kernel);
        else if (m_settings.modelFolder.empty())
            record({task, nowMs(), 0}, "no_kernel", "there is no kernel for this task");
        else
            generate(task);
    }
    endWhenDone();
}

void BenchmarkRun::generate(const BenchmarkTask &task)
{
    m_generating = Running{task, nowMs(), 0};
    GenerateJob job;
    job.module = task.module;
    job.modelFolder = m_settings.modelFolder;
    job.device = m_settings.device;
    job.decoding = m_settings.decoding;
    job.verification = Verification::Skipped;
    m_studio.generate(job);
}

void BenchmarkRun::handleGenerated(const JobOutcome &outcome)
{
    if (m_hasEnded || !m_generating)
        return;
    m_numEngineFailures = 0;
    Running running = *std::exchange(m_generating, {});
    const Attempt *attempt = outcome.best();
    if (attempt && !attempt->kernel.empty()) {
        running.numTokens = attempt->result.numTokens;
        keepKernel(running.task, attempt->kernel);
        verify(running, attempt->kernel);
    } else {
        record(running, "no_kernel", "the model's answer is empty");
    }
    startNext();
}

void BenchmarkRun::handleFailed(const Error &error)
{
    if (m_hasEnded || !m_generating)
        return;
    const Running running = *std::exchange(m_generating, {});
    const bool isTasksFault = error.code == ErrorCode::InvalidArgument || error.code == ErrorCode::Unsupported;
    if (!isTasksFault && ++m_numEngineFailures >= maxEngineFailures) {
        m_hasEnded = true;
        Q_EMIT failed(error);
        return;
    }
    record(running, isTasksFault ? "bad_task" : "no_kernel", error.message);
    startNext();
}

void BenchmarkRun::verify(const Running &running, const std::string &kernel)
{
    VerifyRequest request;
    request.candidate = {kernel, running.task.name + ".py"};
    request.reference = running.task.module;
    request.device = m_settings.device;
    request.protocol = m_settings.protocol;
    request.numTrials = m_settings.numTrials;
    m_queue.add(request, [this, running](const Verdict &verdict) {
        record(running, verdict);
        startNext();
    });
}

void BenchmarkRun::record(const Running &running, const Verdict &verdict)
{
    BenchmarkResult result{running.task.level,
                           running.task.name,
                           toString(verdict.word),
                           verdict.reason,
                           (nowMs() - running.startedMs) / 1000.0,
                           running.numTokens,
                           !verdict.scaledSizes.empty()};
    record(std::move(result));
}

void BenchmarkRun::record(const Running &running, const std::string &word, const std::string &reason)
{
    record({running.task.level, running.task.name, word, reason, (nowMs() - running.startedMs) / 1000.0, 0, false});
}

void BenchmarkRun::record(BenchmarkResult result)
{
    if (m_hasEnded)
        return;
    if (const Status written = m_writer->append(result.toJson()); !written) {
        m_hasEnded = true;
        Q_EMIT failed(written.error());
        return;
    }
    m_results.push_back(result);
    Q_EMIT taskDone(m_results.back());
}

void BenchmarkRun::keepKernel(const BenchmarkTask &task, const std::string &kernel)
{
    const std::filesystem::path folder = m_folder / "kernels" / task.level;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (const Status written = store::writeFile(folder / (task.name + ".py"), kernel); !written)
        spdlog::warn("{}", written.error().message); // the verdict still counts
}

void BenchmarkRun::endWhenDone()
{
    if (m_hasEnded || !m_tasks.empty() || m_generating || m_queue.numOpen() > 0)
        return;
    m_hasEnded = true;
    Q_EMIT ended();
}

} // namespace dice::services
