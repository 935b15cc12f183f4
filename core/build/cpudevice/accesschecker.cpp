#include "accesschecker.h"

#include "blockrunner.h"

#include <algorithm>

namespace dice::cpudevice {

namespace {

const char *verb(std::int32_t kind)
{
    return kind == DICE_READ ? "reads" : kind == DICE_WRITE ? "writes" : "updates";
}

std::string who(const DiceThread &thread)
{
    const DiceIndex &b = thread.blockIdx, &t = thread.threadIdx;
    const auto text = [](const DiceIndex &i) {
        return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
    };
    return "thread " + text(t) + " of block " + text(b);
}

const char *nameOf(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Tensor:
        return "a tensor's memory";
    case MemoryKind::Runtime:
        return "memory of cudaMalloc";
    case MemoryKind::Borrowed:
        return "a tensor's memory";
    }
    return "memory";
}

} // namespace

AccessChecker::AccessChecker(const MemoryMap &memory, const SharedVariables &variables)
    : m_memory(memory)
    , m_variables(variables)
{
    m_static.writtenInBlock.resize(BlockRunner::staticArenaBytes);
    m_static.granules.resize(BlockRunner::staticArenaBytes / 4);
    m_dynamic.writtenInBlock.resize(BlockRunner::dynamicArenaBytes);
    m_dynamic.granules.resize(BlockRunner::dynamicArenaBytes / 4);
}

void AccessChecker::beginLaunch(std::vector<AddressRange> allowed)
{
    m_allowed = std::move(allowed);
    m_lastVariable = {};
}

void AccessChecker::beginBlock()
{
    ++m_block;
}

AccessFault AccessChecker::check(DiceThread &thread, const Access &access, std::uint32_t epoch)
{
    if (access.isToBeAligned && access.address % access.size != 0) {
        return {"misaligned",
                who(thread) + " " + verb(access.kind) + " " + std::to_string(access.size)
                    + " bytes at an address that is no multiple of " + std::to_string(access.size),
                true};
    }
    const AddressRange shared = {reinterpret_cast<std::uintptr_t>(thread.sharedBase),
                                 reinterpret_cast<std::uintptr_t>(thread.sharedBase) + BlockRunner::staticArenaBytes
                                     + BlockRunner::dynamicArenaBytes};
    if (shared.contains(access.address, 0))
        return checkShared(thread, access, epoch);
    const auto region = m_memory.find(access.address);
    if (region && access.address + access.size <= region->end) {
        thread.recent[2] = region->begin;
        thread.recent[3] = region->end;
        return {};
    }
    for (const AddressRange &range : m_allowed) {
        if (range.contains(access.address, access.size))
            return {};
    }
    return outside(thread, access);
}

AccessFault AccessChecker::checkShared(DiceThread &thread, const Access &access, std::uint32_t epoch)
{
    return access.address < reinterpret_cast<std::uintptr_t>(thread.dynamicShared)
        ? checkStatic(thread, access, epoch)
        : checkDynamic(thread, access, epoch);
}

AccessFault AccessChecker::checkStatic(const DiceThread &thread, const Access &access, std::uint32_t epoch)
{
    const std::uint64_t offset = access.address - reinterpret_cast<std::uintptr_t>(thread.sharedBase);
    if (offset < m_lastVariable.offset || offset + access.size > m_lastVariable.offset + m_lastVariable.size) {
        const auto variable = m_variables.find(offset);
        if (!variable || offset + access.size > variable->offset + variable->size) {
            const std::string near = variable
                ? "; the nearest variable is '" + variable->name + "' of " + std::to_string(variable->size) + " bytes, "
                    + std::to_string(offset - variable->offset) + " bytes from its start"
                : std::string();
            return {"out_of_bounds",
                    who(thread) + " " + verb(access.kind) + " " + std::to_string(access.size)
                        + " bytes of shared memory outside of any variable" + near,
                    true};
        }
        m_lastVariable = *variable;
    }
    return follow(m_static, offset, thread, access, epoch, m_lastVariable);
}

AccessFault AccessChecker::checkDynamic(const DiceThread &thread, const Access &access, std::uint32_t epoch)
{
    const std::uint64_t offset = access.address - reinterpret_cast<std::uintptr_t>(thread.dynamicShared);
    if (offset + access.size > thread.dynamicSize) {
        return {"out_of_bounds",
                who(thread) + " " + verb(access.kind) + " bytes " + std::to_string(offset) + " to "
                    + std::to_string(offset + access.size) + " of dynamic shared memory, but the launch gives "
                    + std::to_string(thread.dynamicSize),
                true};
    }
    return follow(m_dynamic, offset, thread, access, epoch, {0, thread.dynamicSize, "extern __shared__"});
}

AccessFault AccessChecker::follow(Shadow &shadow, std::uint64_t offset, const DiceThread &thread, const Access &access,
                                  std::uint32_t epoch, const SharedVariable &variable)
{
    AccessFault fault;
    for (std::uint64_t byte = offset; byte < offset + access.size; ++byte) {
        if (access.kind != DICE_WRITE && shadow.writtenInBlock[byte] != m_block && fault.kind.empty()) {
            fault = {"unwritten_shared",
                     who(thread) + " reads shared memory '" + variable.name + "' at byte "
                         + std::to_string(byte - variable.offset) + " that no thread of the block has written",
                     false};
        }
        if (access.kind != DICE_READ)
            shadow.writtenInBlock[byte] = m_block;
    }
    if (access.kind == DICE_ATOMIC || !fault.kind.empty())
        return fault;
    for (std::uint64_t at = offset / 4; at <= (offset + access.size - 1) / 4; ++at) {
        if (AccessFault race = checkOrder(shadow.granules[at], thread, access.kind, epoch, variable.name);
            !race.kind.empty())
            fault = std::move(race);
    }
    return fault;
}

// Threads of one warp are taken to be in step: kernels of the old style rely on it. Two writes without an order are
// not reported: flags that several threads set to the same value are common and harmless.
AccessFault AccessChecker::checkOrder(Granule &granule, const DiceThread &thread, std::int32_t kind,
                                      std::uint32_t epoch, const std::string &name)
{
    const std::uint16_t self = std::uint16_t(thread.thread);
    const auto isOtherWarp = [self](std::uint16_t other) { return other / 32 != self / 32; };
    if (kind == DICE_READ) {
        const bool isRace = granule.writeEpoch == epoch && isOtherWarp(granule.writer);
        if (granule.readEpoch != epoch)
            granule.reader = granule.otherReader = self;
        else if (granule.reader / 32 != self / 32)
            granule.otherReader = self;
        granule.readEpoch = epoch;
        if (!isRace)
            return {};
        return {"race",
                who(thread) + " reads shared memory '" + name + "' that thread " + std::to_string(granule.writer)
                    + " wrote with no barrier between",
                false};
    }
    const bool isRead = granule.readEpoch == epoch;
    const bool isRace = isRead && (isOtherWarp(granule.reader) || isOtherWarp(granule.otherReader));
    granule.writeEpoch = epoch;
    granule.writer = self;
    if (!isRace)
        return {};
    const std::uint16_t reader = isOtherWarp(granule.reader) ? granule.reader : granule.otherReader;
    return {"race",
            who(thread) + " writes shared memory '" + name + "' that thread " + std::to_string(reader)
                + " read with no barrier between",
            false};
}

AccessFault AccessChecker::outside(const DiceThread &thread, const Access &access) const
{
    std::string where = "at no memory of the device";
    if (const auto region = m_memory.nearest(access.address)) {
        const bool isBehind = access.address + access.size > region->end;
        const std::uint64_t distance = isBehind ? access.address - region->end : region->begin - access.address;
        if (isBehind && access.address < region->end)
            where = "across the end of " + std::string(nameOf(region->kind));
        else if (distance < (std::uint64_t(1) << 40))
            where = std::to_string(distance) + " bytes " + (isBehind ? "past the end of " : "before ")
                + nameOf(region->kind) + " (" + std::to_string(region->size()) + " bytes)";
    }
    return {"out_of_bounds",
            who(thread) + " " + verb(access.kind) + " " + std::to_string(access.size) + " bytes " + where, true};
}

} // namespace dice::cpudevice
