#include "verifyqueue.h"

#include <QThread>

#include <algorithm>

namespace dice::services {

namespace {

constexpr int maxNumJudges = 8;
constexpr int maxNumFailures = 2;

// The kernel may have nothing to do with it: an Error of the judge says that the judge could not work.
Verdict harnessError(const VerifyRequest &request, const Error &error)
{
    Verdict verdict;
    verdict.word = VerdictWord::HarnessError;
    verdict.reason = error.message;
    verdict.protocol = toString(request.protocol);
    verdict.device = request.device;
    return verdict;
}

} // namespace

VerifyQueue::VerifyQueue(const ProcessProgram &evaluator, int numJudges, QObject *parent)
    : QObject(parent)
{
    for (int i = 0; i < numJudges; ++i) {
        m_judges.push_back(std::make_unique<EvaluatorClient>(evaluator));
        m_idle.push_back(m_judges.back().get());
        connect(&m_judges.back()->channel(), &ProcessChannel::stateChanged, this, &VerifyQueue::noteProcessState);
    }
}

int VerifyQueue::defaultNumJudges()
{
    return std::clamp(QThread::idealThreadCount(), 1, maxNumJudges);
}

void VerifyQueue::add(const VerifyRequest &request, Done done)
{
    m_waiting.push_back(std::make_shared<Job>(Job{request, std::move(done)}));
    startNext();
}

void VerifyQueue::endProcesses()
{
    m_isEnding = true;
    m_waiting.clear();
    for (const auto &judge : m_judges)
        judge->channel().stop();
    QMetaObject::invokeMethod(this, &VerifyQueue::noteProcessState, Qt::QueuedConnection);
}

void VerifyQueue::startNext()
{
    while (!m_isEnding && !m_idle.empty() && !m_waiting.empty()) {
        EvaluatorClient *judge = m_idle.back();
        m_idle.pop_back();
        std::shared_ptr<Job> job = m_waiting.front();
        m_waiting.pop_front();
        start(*judge, std::move(job));
    }
}

void VerifyQueue::start(EvaluatorClient &judge, std::shared_ptr<Job> job)
{
    ++m_numRunning;
    const VerifyRequest &request = job->request;
    judge.verify(request, {},
                 [this, &judge, job = std::move(job)](const Result<Verdict> &verdict) { handle(judge, job, verdict); });
}

void VerifyQueue::handle(EvaluatorClient &judge, std::shared_ptr<Job> job, const Result<Verdict> &verdict)
{
    --m_numRunning;
    m_idle.push_back(&judge);
    if (m_isEnding)
        return;
    const bool isWorthARetry = !verdict && verdict.error().code == ErrorCode::ProcessFailed;
    if (isWorthARetry && ++job->numFailures < maxNumFailures)
        m_waiting.push_front(std::move(job));
    else
        job->done(verdict ? *verdict : harnessError(job->request, verdict.error()));
    startNext();
}

void VerifyQueue::noteProcessState()
{
    const bool areStopped = std::ranges::all_of(
        m_judges, [](const auto &judge) { return judge->channel().state() == ProcessChannel::State::Stopped; });
    if (!m_isEnding || !areStopped)
        return;
    m_isEnding = false;
    Q_EMIT processesEnded();
}

} // namespace dice::services
