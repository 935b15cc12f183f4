// Other sizes of a task, derived from its own module-level constants: one much larger along the first axis, one odd and
// no multiple of 32 along the last. Kernel sizes, strides and the like are left as they are.
#pragma once

#include "core/evaluate/referencesession.h"

#include <string>
#include <vector>

namespace dice::evaluate {

struct SizeVariant
{
    Json constants = Json::object();
    std::string name; // "N = 20001 (3000 as given)"
    std::vector<std::int64_t> originals;
};

// Asks the reference's worker which constants move which axes; leaves it with the original constants.
std::vector<SizeVariant> sizeVariants(ReferenceSession &reference, const Json &constants);

// Whether the candidate's text writes one of the changed sizes as a number: it is made for that size, and says so.
bool mentionsSizes(const std::string &candidateText, const SizeVariant &variant);

} // namespace dice::evaluate
