// Judges single accesses of a checked launch: outside of any allocation, of shared memory that nobody has written,
// or of what another warp wrote or reads since the last barrier. One processor thread only.
#pragma once

#include "core/build/cpudevice/memorymap.h"
#include "core/build/cpudevice/sharedvariables.h"
#include "core/build/include/dice/hostapi.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dice::cpudevice {

struct AccessFault
{
    std::string kind; // empty: nothing wrong
    std::string message;
    bool isFatal = false; // the access must not happen
};

struct AddressRange
{
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    bool contains(std::uintptr_t address, std::uint64_t size) const
    {
        return address >= begin && address + size <= end;
    }
};

struct Access
{
    std::uintptr_t address = 0;
    std::uint64_t size = 0;
    std::int32_t kind = DICE_READ;
    bool isToBeAligned = false;
};

class AccessChecker
{
public:
    AccessChecker(const MemoryMap &memory, const SharedVariables &variables);

    // allowed: the artefact's own variables, the launch's arguments, the launching function's frame.
    void beginLaunch(std::vector<AddressRange> allowed);
    void beginBlock();
    AccessFault check(DiceThread &thread, const Access &access, std::uint32_t epoch);

private:
    // Of four bytes of shared memory, valid while the epoch is the current one.
    struct Granule
    {
        std::uint32_t writeEpoch = 0;
        std::uint32_t readEpoch = 0;
        std::uint16_t writer = 0;
        std::uint16_t reader = 0;
        std::uint16_t otherReader = 0; // of another warp than reader; equal to it when there is none
    };
    struct Shadow
    {
        std::vector<std::uint32_t> writtenInBlock; // a byte of memory each: the block that wrote it last
        std::vector<Granule> granules;
    };

    AccessFault checkShared(DiceThread &thread, const Access &access, std::uint32_t epoch);
    AccessFault checkStatic(const DiceThread &thread, const Access &access, std::uint32_t epoch);
    AccessFault checkDynamic(const DiceThread &thread, const Access &access, std::uint32_t epoch);
    AccessFault follow(Shadow &shadow, std::uint64_t offset, const DiceThread &thread, const Access &access,
                       std::uint32_t epoch, const SharedVariable &variable);
    AccessFault checkOrder(Granule &granule, const DiceThread &thread, std::int32_t kind, std::uint32_t epoch,
                           const std::string &name);
    AccessFault outside(const DiceThread &thread, const Access &access) const;

    const MemoryMap &m_memory;
    const SharedVariables &m_variables;
    std::vector<AddressRange> m_allowed;
    SharedVariable m_lastVariable;
    Shadow m_static;
    Shadow m_dynamic;
    std::uint32_t m_block = 0;
};

} // namespace dice::cpudevice
