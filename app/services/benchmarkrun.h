// One run over the tasks of a benchmark: ask the model for each kernel, verify, keep every answer in the run folder as
// it comes, so that a run can be ended and gone on with. Verifications run beside the next generation.
#pragma once

#include "app/services/benchmarktasks.h"
#include "app/services/studio.h"
#include "app/services/verifyqueue.h"
#include "core/store/jsonlines.h"
#include "core/store/runfolder.h"

#include <map>
#include <optional>

namespace dice::services {

struct BenchmarkSettings
{
    std::string modelFolder; // not used for tasks that bring a kernel
    std::string device = "auto";
    DecodingOptions decoding;
    Protocol protocol = Protocol::Strict;
    int numTrials = 5;

    Json toJson() const; // what config.json holds; a run goes on only under the same
};

struct BenchmarkResult
{
    std::string level;
    std::string name;
    // A verdict word; "no_kernel" when none was generated or given, "bad_task" when the module is no task.
    std::string word;
    std::string reason;
    double seconds = 0.0; // of generation and verification together
    int numTokens = 0;
    bool isScaled = false;

    Json toJson() const;
    static Result<BenchmarkResult> fromJson(const Json &json);
};

struct LevelScore
{
    int numTasks = 0;
    int numCorrect = 0;

    double execPercent() const { return numTasks == 0 ? 0.0 : 100.0 * numCorrect / numTasks; }
};

// Shares are percentages of all tasks, whatever became of them.
std::map<std::string, LevelScore> scoreLevels(const std::vector<BenchmarkResult> &results);
std::map<std::string, int> countWords(const std::vector<BenchmarkResult> &results);

class BenchmarkRun : public QObject
{
    Q_OBJECT

public:
    BenchmarkRun(Studio &studio, VerifyQueue &queue, BenchmarkSettings settings, QObject *parent = nullptr);

    // Starts, or goes on when `folder` holds a run of the same settings. InvalidArgument when it holds another.
    Status start(const std::filesystem::path &folder, std::vector<BenchmarkTask> tasks);
    void stop(); // ended() follows; what is done is kept

    int numTasks() const { return m_numTasks; }
    const std::vector<BenchmarkResult> &results() const { return m_results; }

Q_SIGNALS:
    void taskDone(const dice::services::BenchmarkResult &result);
    void ended(); // all done, or stopped
    void failed(const dice::Error &error); // the run cannot go on; what is done is kept

private:
    struct Running
    {
        BenchmarkTask task;
        qint64 startedMs = 0;
        int numTokens = 0;
    };

    Status openRun(const std::filesystem::path &folder);
    void startNext();
    void generate(const BenchmarkTask &task);
    void handleGenerated(const JobOutcome &outcome);
    void handleFailed(const Error &error);
    void verify(const Running &running, const std::string &kernel);
    void record(const Running &running, const Verdict &verdict);
    void record(const Running &running, const std::string &word, const std::string &reason);
    void record(BenchmarkResult result);
    void keepKernel(const BenchmarkTask &task, const std::string &kernel);
    void endWhenDone();

    Studio &m_studio;
    VerifyQueue &m_queue;
    const BenchmarkSettings m_settings;
    std::filesystem::path m_folder;
    std::optional<store::JsonLinesWriter> m_writer;
    std::vector<BenchmarkTask> m_tasks; // still to do, the next one last
    std::optional<Running> m_generating;
    std::vector<BenchmarkResult> m_results;
    int m_numTasks = 0;
    int m_numEngineFailures = 0; // in a row
    bool m_hasEnded = true;
};

} // namespace dice::services
