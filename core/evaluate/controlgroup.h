// Caps on the memory and the number of processes of one box, by a control group of its own (version 2, or the
// older memory and pids controllers). Removed with its processes when the object goes. Must not know boxes.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dice::evaluate {

struct ControlGroupLimits
{
    std::int64_t memoryBytes = 0;
    std::int64_t numProcesses = 0; // threads count
};

// Where groups can be made here, found once by making one.
struct ControlGroupPlaces
{
    std::string unified; // a folder of version 2, or empty
    std::string memory; // folders of version 1, or empty
    std::string pids;

    bool capsMemory() const { return !unified.empty() || !memory.empty(); }
    bool capsProcesses() const { return !unified.empty() || !pids.empty(); }
};

ControlGroupPlaces findControlGroupPlaces();

// Removes groups whose evaluator is gone, with what still runs in them.
void sweepControlGroups(const ControlGroupPlaces &places);

class ControlGroup
{
public:
    // Nothing when no group can be made here. What a place lacks is left out.
    static std::optional<ControlGroup> create(const ControlGroupPlaces &places, const ControlGroupLimits &limits);

    ControlGroup(ControlGroup &&) noexcept = default;
    ControlGroup &operator=(ControlGroup &&) noexcept = delete;
    ~ControlGroup();

    // A process joins by writing "0" to each of these files; done between fork and exec.
    const std::vector<std::string> &joinFiles() const { return m_joinFiles; }

    std::int64_t numMemoryKills() const; // by the kernel, because of the cap
    std::int64_t numForkDenials() const;
    bool isEmpty() const;
    void killAll() const;

private:
    ControlGroup() = default;

    std::vector<std::string> m_folders;
    std::vector<std::string> m_joinFiles;
};

} // namespace dice::evaluate
