// The CPU device: runs launches of kernels compiled by the host compiler, records and checks them.
// One per worker process. Must not know Torch, Python or the evaluator.
//   Device::instance().beginCall({.isChecked = true, .isPoisoned = true});  ... candidate runs ...
//   CallReport report = Device::instance().endCall();
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct DiceHostApi;
struct DiceLaunch;

namespace dice::cpudevice {

class MemoryMap;

struct CallOptions
{
    bool isChecked = false; // report accesses outside allocations, reads of unwritten shared memory, missing barriers
    bool isPoisoned = false; // fresh memory holds 0xFF bytes: NaN in every floating type
    bool isGhost = false; // launches are recorded and not run: what is right without them was not their work
};

struct LaunchEntry
{
    std::string kernel; // as the source writes it: "inclusive_scan<64>"
    std::string source; // "cuda_source_0.cu"
    int line = 0; // of the launch
    std::uint32_t grid[3] = {1, 1, 1};
    std::uint32_t block[3] = {1, 1, 1};
    std::uint64_t sharedBytes = 0; // dynamic
    std::int64_t durationNs = 0;
};

// Why a kernel was stopped, or what it did wrong; the first of a call counts.
struct DeviceFault
{
    // "out_of_bounds", "misaligned", "unwritten_shared", "race", "deadlock", "assert", "trap", "bad_launch",
    // "guard_band", "out_of_memory", "unsupported"
    std::string kind;
    std::string message; // one sentence: kernel, variable or memory, thread
    std::string source; // "cuda_source_0.cu"; empty when unknown
    int line = 0; // within that source; 0 when unknown
};

struct CallReport
{
    std::vector<LaunchEntry> launches; // at most 10,000; launchCount goes on
    std::int64_t launchCount = 0;
    std::vector<DeviceFault> faults; // at most 10
    std::int64_t libraryCalls = 0; // operations that the extension's C++ asked of the library
};

// One for the process: artefacts call it through plain C functions.
class Device
{
public:
    static Device &instance();
    ~Device();

    void beginCall(const CallOptions &options);
    CallReport endCall(); // also looks at the guard bands of all live allocations

    // What torch.cuda.synchronize() or a checked call would raise; empty when all is well.
    std::string pendingError() const;

    // For the part of the program that loads artefacts.
    static void fillApi(DiceHostApi &api); // tensor entries stay null
    void addArtefact(const std::string &artefactPath); // already loaded
    MemoryMap &memory();
    void countLibraryCall();

    // Behind the C functions.
    void launch(const DiceLaunch &launch);
    std::uint64_t reserveShared(std::uint64_t size, std::uint64_t alignment, const char *name);
    void reportAccess(std::uintptr_t address, std::uint64_t size, std::int32_t kind, const void *caller);
    void reportFault(DeviceFault fault, const void *caller);
    std::int32_t lastError(bool isReset);

private:
    Device();
    void run(const DiceLaunch &launch);
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace dice::cpudevice
