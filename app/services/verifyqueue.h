// Many verifications, as many at once as there are judges. A judge that dies costs the request one retry; after that
// its verdict is harness_error, never a blame on the kernel.
#pragma once

#include "app/services/evaluatorclient.h"

#include <QObject>

#include <deque>
#include <memory>
#include <vector>

namespace dice::services {

class VerifyQueue : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const Verdict &verdict)>;

    VerifyQueue(const ProcessProgram &evaluator, int numJudges, QObject *parent = nullptr);
    static int defaultNumJudges(); // by the number of cores

    void add(const VerifyRequest &request, Done done);
    int numOpen() const { return m_numRunning + static_cast<int>(m_waiting.size()); }
    int numJudges() const { return static_cast<int>(m_judges.size()); }

    // Drops what waits and what runs; nothing more is called. processesEnded() follows when the judges are gone.
    void endProcesses();

Q_SIGNALS:
    void processesEnded();

private:
    struct Job
    {
        VerifyRequest request;
        Done done;
        int numFailures = 0;
    };

    void startNext();
    void start(EvaluatorClient &judge, std::shared_ptr<Job> job);
    void handle(EvaluatorClient &judge, std::shared_ptr<Job> job, const Result<Verdict> &verdict);
    void noteProcessState();

    std::vector<std::unique_ptr<EvaluatorClient>> m_judges;
    std::vector<EvaluatorClient *> m_idle;
    std::deque<std::shared_ptr<Job>> m_waiting;
    int m_numRunning = 0;
    bool m_isEnding = false;
};

} // namespace dice::services
