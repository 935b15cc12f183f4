#include "device.h"

#include "artefactimage.h"
#include "blockrunner.h"
#include "memorymap.h"
#include "processorpool.h"
#include "runnerofthread.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace dice::cpudevice {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t maxLaunches = 10000;
constexpr std::size_t maxFaults = 10;
constexpr std::int64_t helpAfterNs = 300'000; // launches shorter than this are done before a helper wakes
constexpr std::uint64_t launcherFrameBytes = 64 << 10;

// cudaError_t as the runtime's header names it.
constexpr int invalidConfiguration = 9;
constexpr int illegalAddress = 700;
constexpr int misalignedAddress = 716;
constexpr int deviceAssert = 710;
constexpr int launchFailure = 719;

std::uint64_t volume(const DiceIndex &index)
{
    return std::uint64_t(index.x) * index.y * index.z;
}

std::string badShape(const DiceLaunch &launch)
{
    const std::uint64_t threads = volume(launch.block);
    if (threads == 0 || threads > 1024 || launch.block.z > 64)
        return "a block of " + std::to_string(threads) + " threads; 1 to 1024 are possible";
    if (volume(launch.grid) == 0 || launch.grid.x > 2147483647u || launch.grid.y > 65535 || launch.grid.z > 65535)
        return "a grid of " + std::to_string(launch.grid.x) + " x " + std::to_string(launch.grid.y) + " x "
            + std::to_string(launch.grid.z) + " blocks";
    if (launch.sharedBytes > 227 * 1024)
        return std::to_string(launch.sharedBytes) + " bytes of dynamic shared memory; 232448 are possible";
    return {};
}

int errorCodeOf(const std::string &kind)
{
    if (kind == "out_of_bounds")
        return illegalAddress;
    if (kind == "misaligned")
        return misalignedAddress;
    if (kind == "assert")
        return deviceAssert;
    return kind == "bad_launch" ? invalidConfiguration : launchFailure;
}

} // namespace

struct Device::State
{
    CallOptions options;
    CallReport report;
    MemoryMap memory;
    SharedVariables variables;
    ArtefactImages images;
    std::unique_ptr<AccessChecker> checker; // made for the first checked launch: its shadow is large
    ProcessorPool pool;
    std::mutex mutex; // faults and the report; helpers report too
    std::mutex launchMutex; // one launch at a time, as in one stream; calls begin and end between launches
    std::int32_t lastError = 0;
    std::int32_t stickyError = 0; // the device is lost, as after an illegal address on a GPU
    std::string stickyMessage;
    const DiceLaunch *current = nullptr;
};

Device::Device()
    : m_state(std::make_unique<State>())
{
}

Device::~Device() = default;

Device &Device::instance()
{
    // Never destroyed: tensors may outlive every static object.
    static Device *const device = new Device;
    return *device;
}

MemoryMap &Device::memory()
{
    return m_state->memory;
}

void Device::beginCall(const CallOptions &options)
{
    const std::lock_guard lock(m_state->launchMutex);
    m_state->options = options;
    m_state->report = {};
    m_state->lastError = m_state->stickyError = 0;
    m_state->stickyMessage.clear();
    m_state->memory.setPoisoned(options.isPoisoned);
}

CallReport Device::endCall()
{
    const std::lock_guard lock(m_state->launchMutex);
    for (const GuardDamage &damage : m_state->memory.takeDamage()) {
        const std::string where = damage.offset < 0
            ? std::to_string(-damage.offset) + " bytes before its begin"
            : std::to_string(damage.offset - std::int64_t(damage.region.size())) + " bytes past its end";
        reportFault(
            {"guard_band",
             "memory of " + std::to_string(damage.region.size()) + " bytes was overrun: something was written " + where,
             {},
             0},
            nullptr);
    }
    m_state->memory.setPoisoned(false);
    m_state->memory.forgetBorrowed();
    m_state->options = {};
    return std::move(m_state->report);
}

std::string Device::pendingError() const
{
    return m_state->stickyMessage;
}

void Device::addArtefact(const std::string &artefactPath)
{
    m_state->images.add(artefactPath);
}

void Device::countLibraryCall()
{
    ++m_state->report.libraryCalls;
}

std::int32_t Device::lastError(bool isReset)
{
    if (m_state->stickyError != 0)
        return m_state->stickyError;
    const std::int32_t error = m_state->lastError;
    if (isReset)
        m_state->lastError = 0;
    return error;
}

void Device::reportFault(DeviceFault fault, const void *caller)
{
    const std::lock_guard lock(m_state->mutex);
    if (caller != nullptr && fault.line == 0) {
        const SourceLine line = m_state->images.lineOf(caller);
        fault.source = line.source;
        fault.line = line.line;
    }
    if (m_state->current != nullptr)
        fault.message = "kernel " + std::string(m_state->current->kernel) + ": " + fault.message;
    for (const DeviceFault &known : m_state->report.faults) {
        if (known.kind == fault.kind && known.line == fault.line && known.source == fault.source)
            return;
    }
    if (m_state->report.faults.size() < maxFaults)
        m_state->report.faults.push_back(std::move(fault));
}

std::uint64_t Device::reserveShared(std::uint64_t size, std::uint64_t alignment, const char *name)
{
    if (const auto offset = m_state->variables.reserve(size, alignment, name))
        return *offset;
    endThread({"unsupported", "shared variables of more than 1 MiB together", nullptr, {}, 0});
}

void Device::reportAccess(std::uintptr_t address, std::uint64_t size, std::int32_t kind, const void *caller)
{
    BlockRunner *runner = runnerOfThread();
    if (runner == nullptr || m_state->checker == nullptr || runner->isOwnMemory(address))
        return;
    AccessFault fault = m_state->checker->check(
        runner->thread(), {address, size, kind & ~DICE_ALIGNED, (kind & DICE_ALIGNED) != 0}, runner->epoch());
    if (fault.kind.empty())
        return;
    if (fault.isFatal)
        runner->abort({std::move(fault.kind), std::move(fault.message), caller, {}, 0});
    reportFault({std::move(fault.kind), std::move(fault.message), {}, 0}, caller);
}

void Device::launch(const DiceLaunch &launch)
{
    if (runnerOfThread() != nullptr)
        endThread({"unsupported", "a kernel launches a kernel", nullptr, {}, 0});
    State &state = *m_state;
    const std::lock_guard lock(state.launchMutex);
    ++state.report.launchCount;
    state.current = &launch;
    const Clock::time_point start = Clock::now();
    if (const std::string problem = badShape(launch); !problem.empty()) {
        state.lastError = invalidConfiguration;
        reportFault({"bad_launch", "launched with " + problem, launch.file, launch.line}, nullptr);
    } else if (!state.options.isGhost && state.stickyError == 0) {
        run(launch);
    }
    state.current = nullptr;
    if (state.report.launches.size() >= maxLaunches)
        return;
    const auto duration = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    state.report.launches.push_back({launch.kernel,
                                     launch.file,
                                     launch.line,
                                     {launch.grid.x, launch.grid.y, launch.grid.z},
                                     {launch.block.x, launch.block.y, launch.block.z},
                                     launch.sharedBytes,
                                     duration.count()});
}

void Device::run(const DiceLaunch &launch)
{
    State &state = *m_state;
    const bool isChecked = state.options.isChecked && launch.checkedRun != nullptr;
    if (isChecked) {
        if (state.checker == nullptr)
            state.checker = std::make_unique<AccessChecker>(state.memory, state.variables);
        std::vector<AddressRange> allowed = state.images.ranges();
        const std::uintptr_t frame = reinterpret_cast<std::uintptr_t>(launch.arguments);
        allowed.push_back({frame - 4096, frame + launcherFrameBytes});
        state.checker->beginLaunch(std::move(allowed));
    }
    const LaunchJob job{launch, isChecked ? state.checker.get() : nullptr, state.variables.totalBytes(),
                        state.options.isPoisoned};
    const BlockFault fault = runBlocks(job, state.pool, helpAfterNs);
    if (fault.kind.empty())
        return;
    state.stickyError = errorCodeOf(fault.kind);
    reportFault({fault.kind, fault.message, fault.source, fault.line}, fault.caller);
    state.stickyMessage = state.report.faults.empty() ? fault.message : state.report.faults.back().message;
}

} // namespace dice::cpudevice
