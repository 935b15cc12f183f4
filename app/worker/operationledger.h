// Which operations of the library ran, and on how many elements: heard from LibTorch's dispatcher, so that those
// asked for by an extension's C++ count too. Must not know Python.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dice::worker {

struct OperationCount
{
    std::string name; // "aten::mm"; outermost operations only: what they call inside is theirs
    std::int64_t calls = 0;
    std::int64_t elementsIn = 0;
    std::int64_t elementsOut = 0;
};

class OperationLedger
{
public:
    static void install(); // once, after LibTorch is loaded
    static void start();
    static std::vector<OperationCount> stop();
};

} // namespace dice::worker
