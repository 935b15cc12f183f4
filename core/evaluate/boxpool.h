// Started workers that wait with torch imported and have seen no candidate. Each is used once.
// One thread of the pool starts all boxes and lives as long as the pool: a box dies with the thread that made it.
#pragma once

#include "core/evaluate/sandbox.h"
#include "core/evaluate/temporaryfolder.h"
#include "core/evaluate/workerclient.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace dice::evaluate {

struct Worker
{
    TemporaryFolder artefacts; // what the box sees read-only; gone after the client
    std::string artefactFolderInBox;
    WorkerClient client;
};

class BoxPool
{
public:
    BoxPool(const Sandbox &sandbox, std::string runtimeFolder);
    ~BoxPool(); // kills the waiting boxes

    // How many of each role should wait. Starting them takes processor time that a running verdict would miss, so
    // fewer is better while nothing is queued.
    void setTarget(int numWaiting);

    // A worker that has said hello. The first error is the box's own, not a candidate's.
    Result<std::unique_ptr<Worker>> take(WorkerRole role, const CancelToken &cancel);

private:
    void run();
    bool hasDemand() const;
    WorkerRole nextRole() const;
    Result<std::unique_ptr<Worker>> startWorker(WorkerRole role, int number);

    struct Shelf
    {
        std::deque<Result<std::unique_ptr<Worker>>> waiting;
        int numWanted = 0; // callers of take that found nothing
    };
    Shelf &shelf(WorkerRole role) { return m_shelves[static_cast<std::size_t>(role)]; }

    const Sandbox &m_sandbox;
    std::string m_runtimeFolder;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::array<Shelf, 3> m_shelves;
    int m_target = 0;
    int m_numStarted = 0;
    bool m_isEnding = false;
    std::thread m_launcher;
};

} // namespace dice::evaluate
