#include "processorpool.h"

#include <algorithm>
#include <system_error>

namespace dice::cpudevice {

ProcessorPool::~ProcessorPool()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_wake.notify_all();
    for (std::thread &thread : m_threads)
        thread.join();
}

void ProcessorPool::startThreads()
{
    m_isStarted = true;
    const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
    try {
        for (unsigned i = 1; i < std::min(processors, 16u); ++i)
            m_threads.emplace_back([this] { serve(); });
    } catch (const std::system_error &) {
        // A box without threads left: fewer helpers, same results.
    }
}

void ProcessorPool::start(std::function<void()> work)
{
    std::unique_lock lock(m_mutex);
    if (!m_isStarted)
        startThreads();
    m_work = std::move(work);
    m_busy = m_threads.size();
    ++m_round;
    lock.unlock();
    m_wake.notify_all();
}

void ProcessorPool::wait()
{
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return m_busy == 0; });
}

void ProcessorPool::serve()
{
    std::unique_lock lock(m_mutex);
    std::uint64_t round = 0;
    for (;;) {
        m_wake.wait(lock, [&] { return m_isEnding || m_round != round; });
        if (m_isEnding)
            return;
        round = m_round;
        const std::function<void()> work = m_work;
        lock.unlock();
        work();
        lock.lock();
        if (--m_busy == 0)
            m_done.notify_all();
    }
}

} // namespace dice::cpudevice
