// Endless pairs of a PyTorch module and its answer, a ModelNew with CUDA kernels: what the model in the box learns
// from. Prompts are in the normaliser's canonical form. Must not know tokenizers, training or files' other uses.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dice::corpus {

enum class SizeRange {
    Mixed, // small and realistic sizes, as people write them
    Small, // every tensor fits a quick CPU check
};

struct CorpusOptions
{
    SizeRange sizes = SizeRange::Mixed;
    std::string onlyOperation; // a name of operations(): single steps of it alone
    int singlePercent = 40;
    int pairPercent = 40; // the rest are chains of 3 to 5
};

struct Pair
{
    std::string module; // canonical form, one newline at the end
    std::string answer; // KernelBench file: imports, ModelNew, source, load_inline
    std::vector<std::string> operations;
    int numSteps = 0;
};

// A pure function of its arguments: the same pair on every machine. Any seed is as good as any other.
Pair generatePair(uint64_t seed, const CorpusOptions &options = {});

struct OperationInfo
{
    std::string name;
    std::string family;
};

// Everything the generator can write, in a fixed order.
std::vector<OperationInfo> operations();

// Called after each pair with the number written so far; returning false ends with Cancelled, whole pairs stay.
using WriteProgress = std::function<bool(int numWritten)>;

// Writes pairs seed .. seed + count - 1 as FOLDER/task_00001/{reference.py,answer.py} and so on.
Status writeCorpus(const std::filesystem::path &folder, int count, uint64_t seed, const CorpusOptions &options = {},
                   const WriteProgress &onPair = {});

} // namespace dice::corpus
