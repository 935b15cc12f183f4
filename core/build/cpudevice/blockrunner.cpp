#include "blockrunner.h"

#include "accesschecker.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>

namespace dice::cpudevice {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

constexpr std::size_t stackBytes = 256 << 10;

} // namespace

BlockRunner::BlockRunner()
{
    void *memory = mmap(nullptr, staticArenaBytes + dynamicArenaBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    m_arena = memory == MAP_FAILED ? nullptr : static_cast<char *>(memory);
    m_thread.sharedBase = m_arena;
    m_thread.dynamicShared = m_arena + staticArenaBytes;
}

BlockRunner::~BlockRunner()
{
    for (Fiber &fiber : m_fibers)
        releaseStack(fiber);
    if (m_arena != nullptr)
        munmap(m_arena, staticArenaBytes + dynamicArenaBytes);
}

void BlockRunner::begin(const DiceLaunch &launch, AccessChecker *checker, std::size_t staticBytes, bool isPoisoned)
{
    m_launch = &launch;
    m_checker = checker;
    m_run = checker != nullptr && launch.checkedRun != nullptr ? launch.checkedRun : launch.run;
    m_staticBytes = staticBytes;
    m_isPoisoned = isPoisoned;
    m_isAborted = false;
    m_fault = {};
    m_thread.blockDim = launch.block;
    m_thread.gridDim = launch.grid;
    m_thread.total = launch.block.x * launch.block.y * launch.block.z;
    m_thread.dynamicSize = launch.sharedBytes;
    std::memset(m_thread.recent, 0, sizeof m_thread.recent);
    m_warps.resize((m_thread.total + 31) / 32);
    launch.enter(&m_thread);
}

void BlockRunner::prepareBlock(std::uint64_t number)
{
    const DiceIndex &grid = m_launch->grid;
    m_thread.blockIdx = {std::uint32_t(number % grid.x), std::uint32_t(number / grid.x % grid.y),
                         std::uint32_t(number / grid.x / grid.y)};
    m_thread.claimed = m_thread.exited = m_thread.waiting = 0;
    m_thread.next = {0, 0, 0};
    std::memset(m_thread.warpExited, 0, sizeof m_thread.warpExited);
    for (WarpExchange &warp : m_warps)
        warp.reset();
    m_ready.clear();
    m_readyAt = 0;
    m_atBarrier.clear();
    m_barrierSum = m_barrierOr = {0, 0};
    m_barrierAnd = {1, 1};
    ++m_epoch;
    if (m_isPoisoned) {
        std::memset(m_thread.sharedBase, 0xFF, m_staticBytes);
        std::memset(m_thread.dynamicShared, 0xFF, m_thread.dynamicSize);
    }
    if (m_checker != nullptr)
        m_checker->beginBlock();
}

bool BlockRunner::runBlock(std::uint64_t number)
{
    prepareBlock(number);
    while (!m_isAborted && m_thread.exited < m_thread.total) {
        if (Fiber *next = nextFiber(); next != &m_main)
            switchTo(next);
        else if (!m_isAborted && !resolveStandstill())
            break;
    }
    if (m_isAborted)
        recycleFibers();
    return !m_isAborted;
}

Fiber *BlockRunner::takeFiber()
{
    if (m_free.empty()) {
        Fiber &fiber = m_fibers.emplace_back();
        if (!allocateStack(fiber, stackBytes)) {
            m_fibers.pop_back();
            abort({"out_of_memory", "no memory for the stacks of the block's threads", nullptr, {}, 0});
        }
        fiber.context = make_fcontext(fiber.stack + fiber.stackBytes, fiber.stackBytes, &BlockRunner::enterFiber);
        return &fiber;
    }
    Fiber *fiber = m_free.back();
    m_free.pop_back();
    return fiber;
}

// Those set free come first: that keeps the number of stacks in use small.
Fiber *BlockRunner::nextFiber()
{
    if (m_readyAt < m_ready.size()) {
        Fiber *fiber = m_ready[m_readyAt++];
        if (m_readyAt == m_ready.size()) {
            m_ready.clear();
            m_readyAt = 0;
        }
        return fiber;
    }
    return m_thread.claimed < m_thread.total && !m_isAborted ? takeFiber() : &m_main;
}

void BlockRunner::enterFiber(transfer_t transfer)
{
    BlockRunner *runner = static_cast<BlockRunner *>(transfer.data);
    runner->m_previous->context = transfer.fctx;
    for (;;)
        runner->runFiber();
}

void BlockRunner::runFiber()
{
    m_thread.recent[0] = reinterpret_cast<std::uintptr_t>(m_current->stack);
    m_thread.recent[1] = m_thread.recent[0] + m_current->stackBytes;
    m_run(m_launch->arguments, &m_thread);
    m_free.push_back(m_current);
    switchTo(nextFiber()); // comes back when this stack is taken again
}

void BlockRunner::switchTo(Fiber *fiber)
{
    Fiber *self = m_current;
    if (fiber == self)
        return;
    m_previous = self;
    m_current = fiber;
    const transfer_t transfer = jump_fcontext(fiber->context, this);
    m_previous->context = transfer.fctx;
}

void BlockRunner::wait(const void *caller, bool isAtBarrier)
{
    Fiber *self = m_current;
    self->thread = m_thread.thread;
    self->threadIdx = m_thread.threadIdx;
    self->caller = caller;
    self->isAtBarrier = isAtBarrier;
    switchTo(nextFiber());
    m_thread.thread = self->thread;
    m_thread.threadIdx = self->threadIdx;
    m_thread.recent[0] = reinterpret_cast<std::uintptr_t>(self->stack);
    m_thread.recent[1] = m_thread.recent[0] + self->stackBytes;
}

std::int32_t BlockRunner::barrier(std::int32_t kind, std::int32_t value, const void *caller)
{
    const std::uint32_t parity = m_barrierParity;
    m_barrierSum[parity] += value != 0;
    m_barrierAnd[parity] &= value != 0;
    m_barrierOr[parity] |= value != 0;
    if (m_atBarrier.size() + 1 + m_thread.exited == m_thread.total) {
        releaseBarrier();
    } else {
        m_atBarrier.push_back(m_current);
        ++m_thread.waiting;
        wait(caller, true);
    }
    switch (kind) {
    case DICE_BARRIER_COUNT:
        return m_barrierSum[parity];
    case DICE_BARRIER_AND:
        return m_barrierAnd[parity];
    case DICE_BARRIER_OR:
        return m_barrierOr[parity];
    default:
        return 0;
    }
}

void BlockRunner::releaseBarrier()
{
    m_ready.insert(m_ready.end(), m_atBarrier.begin(), m_atBarrier.end());
    m_thread.waiting -= std::uint32_t(m_atBarrier.size());
    m_atBarrier.clear();
    m_barrierParity ^= 1; // the results of the barrier just passed stay until the next one is passed
    m_barrierSum[m_barrierParity] = m_barrierOr[m_barrierParity] = 0;
    m_barrierAnd[m_barrierParity] = 1;
    ++m_epoch;
}

std::uint32_t BlockRunner::goneLanes(unsigned warp) const
{
    const std::uint32_t lanes = std::min(32u, m_thread.total - warp * 32);
    const std::uint32_t existing = lanes == 32 ? ~0u : (1u << lanes) - 1;
    return m_thread.warpExited[warp] | ~existing;
}

const std::uint64_t *BlockRunner::exchange(std::uint32_t mask, std::uint64_t value, std::uint32_t *present,
                                           const void *caller)
{
    const unsigned warp = m_thread.thread / 32, lane = m_thread.thread % 32;
    WarpExchange &exchange = m_warps[warp];
    exchange.arrive(lane, mask | 1u << lane, value, m_current);
    const std::uint32_t freed = exchange.tryComplete(lane, goneLanes(warp));
    if (freed != 0) {
        releaseLanes(warp, freed & ~(1u << lane));
    } else {
        ++m_thread.waiting;
        wait(caller, false);
    }
    return m_warps[warp].result(lane, present);
}

void BlockRunner::releaseLanes(unsigned warp, std::uint32_t lanes)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        m_ready.push_back(m_warps[warp].fiber(unsigned(std::countr_zero(lanes))));
        --m_thread.waiting;
    }
}

std::uint32_t BlockRunner::activeMask()
{
    const unsigned warp = m_thread.thread / 32;
    m_warps[warp].relax();
    return ~goneLanes(warp);
}

void BlockRunner::threadExited()
{
    const unsigned warp = m_thread.thread / 32;
    WarpExchange &exchange = m_warps[warp];
    for (std::uint32_t rest = exchange.arrived(); rest != 0; rest &= rest - 1) {
        const unsigned lane = unsigned(std::countr_zero(rest));
        if (exchange.arrived() >> lane & 1u)
            releaseLanes(warp, exchange.tryComplete(lane, goneLanes(warp)));
    }
    if (!m_atBarrier.empty() && m_atBarrier.size() + m_thread.exited == m_thread.total)
        releaseBarrier();
}

void BlockRunner::yield()
{
    m_ready.push_back(m_current);
    wait(nullptr, false);
}

// Nobody can go on. Lanes that asked for an active mask go on without the others; everything else hangs on a GPU.
bool BlockRunner::resolveStandstill()
{
    for (unsigned warp = 0; warp < m_warps.size(); ++warp) {
        WarpExchange &exchange = m_warps[warp];
        if (exchange.arrived() == 0 || !exchange.isRelaxed())
            continue;
        releaseLanes(warp, exchange.completeArrived(unsigned(std::countr_zero(exchange.arrived()))));
        return true;
    }
    std::string message = "the threads of a block wait for each other for ever: " + std::to_string(m_atBarrier.size())
        + " at __syncthreads, " + std::to_string(m_thread.waiting - m_atBarrier.size()) + " in a warp operation";
    const void *caller = nullptr;
    for (const WarpExchange &exchange : m_warps) {
        if (exchange.arrived() != 0)
            caller = exchange.fiber(unsigned(std::countr_zero(exchange.arrived())))->caller;
    }
    if (caller == nullptr && !m_atBarrier.empty())
        caller = m_atBarrier.front()->caller;
    m_isAborted = true;
    m_fault = {"deadlock", std::move(message), caller, {}, 0};
    return false;
}

void BlockRunner::abort(BlockFault fault)
{
    m_isAborted = true;
    m_fault = std::move(fault);
    switchTo(&m_main);
    std::abort(); // the stack is never taken up again
}

// The stacks were left in the middle of a kernel; they start anew.
void BlockRunner::recycleFibers()
{
    m_free.clear();
    for (Fiber &fiber : m_fibers) {
        fiber.context = make_fcontext(fiber.stack + fiber.stackBytes, fiber.stackBytes, &BlockRunner::enterFiber);
        m_free.push_back(&fiber);
    }
}

} // namespace dice::cpudevice
