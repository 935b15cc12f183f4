// Ends the engine, the judge or a worker at seeded moments of real jobs, and tells whether the window lives on:
// it must say what happened, keep the texts, and the next try must work.
#pragma once

#include <cstdint>

namespace dice::test {

// Prints a line a kill and a sum. 0 when every next try worked and nothing was left behind.
int killProcesses(int numKills, std::uint32_t seed);

} // namespace dice::test
