// Processor threads that help with the blocks of one launch at a time. Started when first needed; where the box
// refuses threads, the launching thread does all the work.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dice::cpudevice {

class ProcessorPool
{
public:
    ProcessorPool() = default;
    ~ProcessorPool();
    ProcessorPool(const ProcessorPool &) = delete;
    ProcessorPool &operator=(const ProcessorPool &) = delete;

    // Every helper calls work once. wait returns when all of them are back.
    void start(std::function<void()> work);
    void wait();

private:
    void startThreads();
    void serve();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_done;
    std::vector<std::thread> m_threads;
    std::function<void()> m_work;
    std::uint64_t m_round = 0;
    std::size_t m_busy = 0;
    bool m_isStarted = false;
    bool m_isEnding = false;
};

} // namespace dice::cpudevice
