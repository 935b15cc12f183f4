// The tasks of a benchmark, however they are stored: a folder of KernelBench files (with or without level folders),
// folders with a reference.py each, or a .jsonl. It reads them; it runs nothing.
#pragma once

#include "core/data/modulesource.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dice::services {

struct BenchmarkTask
{
    std::string level; // "level1", or the name of the folder or file
    std::string name; // unique in its level
    ModuleSource module;
    std::optional<std::string> kernel; // given: it is verified, and no model is asked

    std::string id() const { return level + "/" + name; }
};

struct TaskSample
{
    int count = 0; // 0 = all
    std::uint64_t seed = 0;
};

// NotFound when there is nothing of the kind, InvalidData with the line for a broken .jsonl.
// kernelField: the field of a .jsonl that holds a kernel for each task; empty = none.
Result<std::vector<BenchmarkTask>> readTasks(const std::filesystem::path &path, const std::string &kernelField = {});

// The tasks of a sample, in their old order. The same seed gives the same ones on every machine.
std::vector<BenchmarkTask> sampleTasks(std::vector<BenchmarkTask> tasks, const TaskSample &sample);

// Puts <folder>/[level/]<name>.py into the tasks that it exists for. NotFound when that is none.
Status attachKernels(std::vector<BenchmarkTask> &tasks, const std::filesystem::path &folder);

} // namespace dice::services
