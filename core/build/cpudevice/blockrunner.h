// Runs blocks of a launch on one processor thread: the threads of a block one after another on one stack, until one
// of them waits for others; only then does the next thread get a stack of its own. Kernels that never wait pay
// nothing for those that do.
#pragma once

#include "core/build/cpudevice/fiber.h"
#include "core/build/cpudevice/warpexchange.h"

#include <array>
#include <deque>
#include <string>
#include <vector>

namespace dice::cpudevice {

class AccessChecker;

struct BlockFault
{
    std::string kind;
    std::string message;
    const void *caller = nullptr; // where in the artefact; null = see line
    std::string source;
    int line = 0;
};

class BlockRunner
{
public:
    static constexpr std::size_t staticArenaBytes = 1 << 20;
    static constexpr std::size_t dynamicArenaBytes = 256 << 10;

    BlockRunner();
    ~BlockRunner();
    BlockRunner(const BlockRunner &) = delete;
    BlockRunner &operator=(const BlockRunner &) = delete;

    // checker: null = unchecked. poisonBytes: how much of the static arena to fill before each block.
    void begin(const DiceLaunch &launch, AccessChecker *checker, std::size_t staticBytes, bool isPoisoned);
    // False after a fault that ends the launch.
    bool runBlock(std::uint64_t number);

    DiceThread &thread() { return m_thread; }
    const BlockFault &fault() const { return m_fault; }
    const Fiber *current() const { return m_current; }
    // Results of warp operations, which kernels read where they are.
    bool isOwnMemory(std::uintptr_t address) const
    {
        const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(m_warps.data());
        return address - begin < m_warps.size() * sizeof(WarpExchange);
    }
    std::uint32_t epoch() const { return m_epoch; } // grows at each barrier and each block

    std::int32_t barrier(std::int32_t kind, std::int32_t value, const void *caller);
    const std::uint64_t *exchange(std::uint32_t mask, std::uint64_t value, std::uint32_t *present, const void *caller);
    std::uint32_t activeMask();
    void threadExited();
    void yield();
    [[noreturn]] void abort(BlockFault fault);

private:
    static void enterFiber(boost::context::detail::transfer_t transfer);
    void runFiber();
    Fiber *takeFiber();
    Fiber *nextFiber();
    void switchTo(Fiber *fiber);
    void wait(const void *caller, bool isAtBarrier);
    void releaseBarrier();
    void releaseLanes(unsigned warp, std::uint32_t lanes);
    void prepareBlock(std::uint64_t number);
    bool resolveStandstill();
    std::uint32_t goneLanes(unsigned warp) const;
    void recycleFibers();

    DiceThread m_thread{};
    const DiceLaunch *m_launch = nullptr;
    DiceRun m_run = nullptr;
    AccessChecker *m_checker = nullptr;
    std::size_t m_staticBytes = 0;
    bool m_isPoisoned = false;
    bool m_isAborted = false;
    BlockFault m_fault;

    Fiber m_main;
    Fiber *m_current = &m_main;
    Fiber *m_previous = nullptr;
    std::deque<Fiber> m_fibers; // stable addresses
    std::vector<Fiber *> m_free;
    std::vector<Fiber *> m_ready; // a queue: read at m_readyAt
    std::size_t m_readyAt = 0;
    std::vector<Fiber *> m_atBarrier;
    std::array<std::int32_t, 2> m_barrierSum{}, m_barrierAnd{}, m_barrierOr{}; // of this barrier and the one before
    std::uint32_t m_barrierParity = 0;
    std::uint32_t m_epoch = 0;
    std::vector<WarpExchange> m_warps;
    char *m_arena = nullptr;
};

} // namespace dice::cpudevice
