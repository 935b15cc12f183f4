#include "runnerofthread.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace dice::cpudevice {

namespace {

using Clock = std::chrono::steady_clock;

thread_local BlockRunner *activeRunner = nullptr;

BlockRunner &ownRunner()
{
    static thread_local std::unique_ptr<BlockRunner> runner;
    if (runner == nullptr)
        runner = std::make_unique<BlockRunner>();
    return *runner;
}

class BlockQueue
{
public:
    explicit BlockQueue(const LaunchJob &job)
        : m_job(job)
        , m_total(std::uint64_t(job.launch.grid.x) * job.launch.grid.y * job.launch.grid.z)
        , m_step(std::max<std::uint64_t>(1, m_total / 256))
    {
    }

    // The shares left when afterShare says stop are for others. Returns false when it did.
    template <class AfterShare> bool work(AfterShare afterShare)
    {
        BlockRunner &runner = ownRunner();
        activeRunner = &runner;
        runner.begin(m_job.launch, m_job.checker, m_job.staticBytes, m_job.isPoisoned);
        bool isToGoOn = true;
        while (isToGoOn) {
            const std::uint64_t first = m_next.fetch_add(m_step);
            if (first >= m_total || m_isEnded)
                break;
            runShare(runner, first);
            isToGoOn = afterShare();
        }
        activeRunner = nullptr;
        return isToGoOn;
    }
    bool isDone() const { return m_next >= m_total || m_isEnded; }
    const BlockFault &fault() const { return m_fault; }

private:
    void runShare(BlockRunner &runner, std::uint64_t first)
    {
        const std::uint64_t end = std::min(first + m_step, m_total);
        for (std::uint64_t block = first; block < end && !m_isEnded; ++block) {
            if (runner.runBlock(block))
                continue;
            const std::lock_guard lock(m_mutex);
            if (!m_isEnded)
                m_fault = runner.fault();
            m_isEnded = true;
        }
    }

    const LaunchJob &m_job;
    const std::uint64_t m_total;
    const std::uint64_t m_step;
    std::atomic<std::uint64_t> m_next = 0;
    std::atomic<bool> m_isEnded = false;
    std::mutex m_mutex;
    BlockFault m_fault;
};

} // namespace

BlockFault runBlocks(const LaunchJob &job, ProcessorPool &pool, std::int64_t helpAfterNs)
{
    BlockQueue queue(job);
    const auto deadline = Clock::now() + std::chrono::nanoseconds(helpAfterNs);
    const bool isAlone = job.checker != nullptr;
    queue.work([&] { return isAlone || Clock::now() < deadline; });
    if (!queue.isDone()) {
        pool.start([&queue] { queue.work([] { return true; }); });
        queue.work([] { return true; });
        pool.wait();
    }
    return queue.fault();
}

BlockRunner *runnerOfThread()
{
    return activeRunner;
}

void endThread(BlockFault fault)
{
    if (activeRunner != nullptr)
        activeRunner->abort(std::move(fault));
    throw std::runtime_error(fault.message);
}

} // namespace dice::cpudevice
