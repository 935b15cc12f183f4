#include "core/evaluate/boxpool.h"

#include <algorithm>

namespace dice::evaluate {

namespace {

constexpr double helloLimitSeconds = 60.0; // importing torch on a machine that is busy with something else
constexpr std::array allRoles{WorkerRole::Candidate, WorkerRole::Reference, WorkerRole::Build};

} // namespace

BoxPool::BoxPool(const Sandbox &sandbox, std::string runtimeFolder)
    : m_sandbox(sandbox)
    , m_runtimeFolder(std::move(runtimeFolder))
    , m_launcher([this] { run(); })
{
}

BoxPool::~BoxPool()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    m_launcher.join();
}

void BoxPool::setTarget(int numWaiting)
{
    {
        const std::lock_guard lock(m_mutex);
        m_target = numWaiting;
    }
    m_changed.notify_all();
}

Result<std::unique_ptr<Worker>> BoxPool::take(WorkerRole role, const CancelToken &cancel)
{
    std::unique_lock lock(m_mutex);
    Shelf &own = shelf(role);
    ++own.numWanted;
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return m_isEnding || !own.waiting.empty(); });
    --own.numWanted;
    if (own.waiting.empty())
        return failure(ErrorCode::Cancelled, "the evaluator is ending");
    Result<std::unique_ptr<Worker>> worker = std::move(own.waiting.front());
    own.waiting.pop_front();
    lock.unlock();
    m_changed.notify_all();
    if (!worker)
        return worker;
    if (Status hello = (*worker)->client.awaitHello(helloLimitSeconds, cancel); !hello)
        return failure(hello.error().code == ErrorCode::Cancelled ? ErrorCode::Cancelled : ErrorCode::Internal,
                       std::string("a worker (") + toString(role) + ") could not start: " + hello.error().message
                           + "; dice doctor says what is missing",
                       hello.error().detail);
    return worker;
}

bool BoxPool::hasDemand() const
{
    for (const Shelf &one : m_shelves)
        if (static_cast<int>(one.waiting.size()) < std::max(one.numWanted, m_target))
            return true;
    return false;
}

// Who is waited for comes first.
WorkerRole BoxPool::nextRole() const
{
    WorkerRole chosen = WorkerRole::Build;
    int best = 0;
    for (const WorkerRole role : allRoles) {
        const Shelf &one = m_shelves[static_cast<std::size_t>(role)];
        const int waiting = static_cast<int>(one.waiting.size());
        const int urgency = 100 * std::max(one.numWanted - waiting, 0) + std::max(m_target - waiting, 0);
        if (urgency > best) {
            best = urgency;
            chosen = role;
        }
    }
    return chosen;
}

void BoxPool::run()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_isEnding || hasDemand(); });
        if (m_isEnding)
            break;
        const WorkerRole role = nextRole();
        const int number = ++m_numStarted;
        lock.unlock();
        Result<std::unique_ptr<Worker>> worker = startWorker(role, number);
        lock.lock();
        shelf(role).waiting.push_back(std::move(worker));
        m_changed.notify_all();
    }
    for (Shelf &one : m_shelves)
        one.waiting.clear();
}

Result<std::unique_ptr<Worker>> BoxPool::startWorker(WorkerRole role, int number)
{
    TemporaryFolder artefacts;
    if (role == WorkerRole::Candidate) {
        Result<TemporaryFolder> made = TemporaryFolder::create(m_runtimeFolder, "box-" + std::to_string(number));
        if (!made)
            return tl::unexpected(made.error());
        artefacts = std::move(*made);
    }
    BoxOptions options;
    options.role = role;
    options.artefactFolder = artefacts.path();
    Result<std::unique_ptr<Box>> box = Box::start(m_sandbox, options);
    if (!box)
        return tl::unexpected(box.error());
    std::string folderInBox = m_sandbox.artefactFolderInBox(artefacts.path());
    return std::unique_ptr<Worker>(
        new Worker{std::move(artefacts), std::move(folderInBox), WorkerClient(std::move(*box))});
}

} // namespace dice::evaluate
