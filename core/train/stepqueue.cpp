#include "stepqueue.h"

#include <exception>
#include <utility>

namespace dice::train {

namespace {

Result<StepData> makeGuarded(const StepQueue::MakeStep &makeStep, std::int64_t step, int thread)
{
    try {
        return makeStep(step, thread);
    } catch (const std::exception &fault) {
        return failure(ErrorCode::Internal, "training data could not be made", fault.what());
    }
}

} // namespace

StepQueue::StepQueue(MakeStep makeStep, std::int64_t firstStep, int numThreads)
    : m_makeStep(std::move(makeStep))
    , m_nextGiven(firstStep)
    , m_nextMade(firstStep)
    , m_capacity(2 * static_cast<std::size_t>(numThreads) + 2)
{
    for (int i = 0; i < numThreads; ++i)
        m_threads.emplace_back([this, i] { work(i); });
}

StepQueue::~StepQueue()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_hasRoom.notify_all();
    for (std::thread &thread : m_threads)
        thread.join();
}

Result<StepData> StepQueue::next()
{
    std::unique_lock lock(m_mutex);
    m_hasStep.wait(lock, [this] { return m_finished.contains(m_nextGiven); });
    auto node = m_finished.extract(m_nextGiven++);
    lock.unlock();
    m_hasRoom.notify_all();
    return std::move(node.mapped());
}

void StepQueue::work(int thread)
{
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_hasRoom.wait(
            lock, [this] { return m_isStopping || static_cast<std::size_t>(m_nextMade - m_nextGiven) < m_capacity; });
        if (m_isStopping)
            return;
        const std::int64_t step = m_nextMade++;
        lock.unlock();
        Result<StepData> data = makeGuarded(m_makeStep, step, thread);
        lock.lock();
        m_finished.emplace(step, std::move(data));
        lock.unlock();
        m_hasStep.notify_all();
    }
}

} // namespace dice::train
