// Counts the system calls that the box's filter refuses with SIGSYS (starting a process, opening a network socket) and
// lets the caller see an ordinary "not permitted". Evidence only: the refusal itself is the kernel's.
#pragma once

#include <string>
#include <vector>

namespace dice::worker {

void installRefusedCallHandler();

// "clone: 3 times", in the order of first use; since the start of the process.
std::vector<std::string> refusedCalls();

} // namespace dice::worker
