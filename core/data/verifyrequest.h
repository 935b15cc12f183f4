// What is asked of the judge: this candidate against this reference, on this device, under this protocol.
#pragma once

#include "core/data/json.h"
#include "core/data/modulesource.h"

#include <string>

namespace dice {

enum class Protocol {
    Strict, // tolerance 1e-4 for float32; every honesty check
    KernelBench, // as KernelBench today: 1e-4
    KernelBenchV0, // 1e-2
};

const char *toString(Protocol protocol); // "kernelbench-v0"
Result<Protocol> protocolFromString(const std::string &name);
double tolerance(Protocol protocol); // absolute and relative, for 32-bit floats and wider

// What an extension is built against.
enum class BuildHeaders {
    Fastest, // this program's own where they suffice, else PyTorch's
    Torch, // PyTorch's alone, as load_inline does: twenty times slower
};

const char *toString(BuildHeaders headers); // "fastest", "torch"
Result<BuildHeaders> buildHeadersFromString(const std::string &name);

struct VerifyRequest
{
    ModuleSource candidate;
    ModuleSource reference;
    std::string device = "cpu"; // "cpu", "cuda:0"
    Protocol protocol = Protocol::Strict;
    int numTrials = 5;
    BuildHeaders headers = BuildHeaders::Fastest;

    bool operator==(const VerifyRequest &) const = default;
};

Json toJson(const VerifyRequest &request);
Result<VerifyRequest> verifyRequestFromJson(const Json &json);

} // namespace dice
