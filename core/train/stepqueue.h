// Threads that make the data of coming steps and hand it over in order, so that a fast trainer does not wait and a
// resumed one gets what it would have got. Torch-free.
#pragma once

#include "core/base/result.h"
#include "core/train/stepdata.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace dice::train {

class StepQueue
{
public:
    // `thread` counts from 0: what the threads would wait for each other over can be there once for each.
    using MakeStep = std::function<Result<StepData>(std::int64_t step, int thread)>;

    // Starts the threads at once; `makeStep` runs on them.
    StepQueue(MakeStep makeStep, std::int64_t firstStep, int numThreads);
    ~StepQueue(); // waits for the steps that are being made

    StepQueue(const StepQueue &) = delete;
    StepQueue &operator=(const StepQueue &) = delete;

    // Data of the next step; waits for it.
    Result<StepData> next();

private:
    void work(int thread);

    MakeStep m_makeStep;
    std::int64_t m_nextGiven; // to the trainer
    std::int64_t m_nextMade; // to a thread
    std::size_t m_capacity; // steps made ahead
    bool m_isStopping = false;
    std::mutex m_mutex;
    std::condition_variable m_hasRoom;
    std::condition_variable m_hasStep;
    std::map<std::int64_t, Result<StepData>> m_finished;
    std::vector<std::thread> m_threads; // last: they use all of the above
};

} // namespace dice::train
