// A flag that one thread raises and another looks at between steps of long work.
#pragma once

#include <atomic>
#include <memory>

namespace dice {

class CancelToken
{
public:
    CancelToken()
        : m_isCancelled(std::make_shared<std::atomic<bool>>(false))
    {
    }

    void cancel() const { m_isCancelled->store(true, std::memory_order_relaxed); }
    bool isCancelled() const { return m_isCancelled->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> m_isCancelled; // copies share one flag
};

} // namespace dice
