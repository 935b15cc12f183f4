// The C functions that artefacts call, as thin doors to the device.
#include "blockrunner.h"
#include "device.h"
#include "memorymap.h"
#include "runnerofthread.h"

#include "core/build/include/dice/hostapi.h"

namespace dice::cpudevice {

namespace {

void apiLaunch(const DiceLaunch *launch)
{
    Device::instance().launch(*launch);
}

uint64_t apiReserveShared(uint64_t size, uint64_t alignment, const char *name, const char *, int32_t)
{
    return Device::instance().reserveShared(size, alignment, name);
}

// A barrier or warp operation outside of a kernel: host code that calls a device function.
BlockRunner &runnerOrThrow()
{
    if (BlockRunner *runner = runnerOfThread())
        return *runner;
    endThread({"unsupported", "a device function was called by host code", nullptr, {}, 0});
}

int32_t apiBarrier(DiceThread *, int32_t kind, int32_t value)
{
    return runnerOrThrow().barrier(kind, value, __builtin_return_address(0));
}

const uint64_t *apiExchange(DiceThread *, uint32_t mask, uint64_t value, uint32_t *present)
{
    return runnerOrThrow().exchange(mask, value, present, __builtin_return_address(0));
}

uint32_t apiActiveMask(DiceThread *)
{
    return runnerOrThrow().activeMask();
}

void apiThreadExited(DiceThread *)
{
    runnerOrThrow().threadExited();
}

void apiYield(DiceThread *)
{
    runnerOrThrow().yield();
}

void apiFault(DiceThread *, const char *kind, const char *message, const char *file, int32_t line)
{
    endThread({kind, message, line == 0 ? __builtin_return_address(0) : nullptr, file != nullptr ? file : "", line});
}

void apiAccess(DiceThread *, const void *address, uint64_t size, int32_t access, const void *caller)
{
    Device::instance().reportAccess(reinterpret_cast<std::uintptr_t>(address), size, access, caller);
}

void *apiAllocate(uint64_t bytes)
{
    return Device::instance().memory().allocate(bytes, MemoryKind::Runtime);
}

int32_t apiRelease(void *address)
{
    return Device::instance().memory().release(address) ? 0 : 1;
}

int32_t apiLastError(int32_t reset)
{
    return Device::instance().lastError(reset != 0);
}

} // namespace

void Device::fillApi(DiceHostApi &api)
{
    api.version = DICE_HOST_API_VERSION;
    api.size = sizeof(DiceHostApi);
    api.launch = &apiLaunch;
    api.reserveShared = &apiReserveShared;
    api.barrier = &apiBarrier;
    api.exchange = &apiExchange;
    api.activeMask = &apiActiveMask;
    api.threadExited = &apiThreadExited;
    api.yield = &apiYield;
    api.fault = &apiFault;
    api.access = &apiAccess;
    api.allocate = &apiAllocate;
    api.release = &apiRelease;
    api.lastError = &apiLastError;
}

} // namespace dice::cpudevice
