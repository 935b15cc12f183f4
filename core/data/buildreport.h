// What building a candidate gave: which rung, how long, and the compiler's messages on the kernel's own lines.
#pragma once

#include "core/data/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dice {

enum class Severity { Note, Warning, Error };

struct BuildMessage
{
    Severity severity = Severity::Error;
    int line = 0; // 1-based line of the candidate's file; 0 = not known
    std::string text;

    bool operator==(const BuildMessage &) const = default;
};

struct BuildReport
{
    bool isBuilt = false;
    std::string rung; // "cache", "shim", "real_headers"; empty when nothing was built
    std::int64_t durationNs = 0;
    std::string gpuArchitecture; // "sm_90" when the device code was also compiled for a GPU
    bool isGpuProven = false;    // NVRTC compiled the device code for gpuArchitecture
    std::vector<BuildMessage> messages;
    std::string log; // cut to 64 KiB

    bool operator==(const BuildReport &) const = default;
};

Json toJson(const BuildReport &report);
Result<BuildReport> buildReportFromJson(const Json &json);

} // namespace dice
