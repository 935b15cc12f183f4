#include "benchmarktasks.h"

#include "core/store/atomicfile.h"

#include <algorithm>
#include <random>
#include <sstream>

namespace dice::services {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t maxModuleBytes = 4u << 20;
constexpr std::uint64_t maxTableBytes = 512u << 20;
constexpr int maxFolderDepth = 2;

std::vector<fs::path> sortedEntries(const fs::path &folder)
{
    std::vector<fs::path> entries;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(folder, error))
        entries.push_back(entry.path());
    std::ranges::sort(entries);
    return entries;
}

Status addFile(const fs::path &file, const std::string &level, const std::string &name,
               std::vector<BenchmarkTask> &tasks)
{
    Result<std::string> text = store::readFile(file, maxModuleBytes);
    if (!text)
        return tl::unexpected(text.error());
    tasks.push_back({level, name, {std::move(*text), name + ".py"}, std::nullopt});
    return {};
}

// Folders with a reference.py each are tasks of one level; other .py files are tasks by themselves.
Status addFolder(const fs::path &folder, const std::string &level, int depth, std::vector<BenchmarkTask> &tasks)
{
    for (const fs::path &entry : sortedEntries(folder)) {
        Status added;
        const std::string name = entry.filename().string();
        if (fs::exists(entry / "reference.py"))
            added = addFile(entry / "reference.py", level, name, tasks);
        else if (fs::is_directory(entry) && depth < maxFolderDepth)
            added = addFolder(entry, name, depth + 1, tasks);
        else if (entry.extension() == ".py" && fs::is_regular_file(entry))
            added = addFile(entry, level, entry.stem().string(), tasks);
        if (!added)
            return added;
    }
    return {};
}

std::string textOf(const Json &value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Result<BenchmarkTask> taskOfLine(const Json &line, const std::string &stem, int number, const std::string &kernelField)
{
    return decodeJson<BenchmarkTask>(line, "task", [&](const Json &from) -> Result<BenchmarkTask> {
        BenchmarkTask task;
        const Json level = from.value("level", Json());
        task.level = level.is_number() ? "level" + level.dump() : level.is_string() ? textOf(level) : stem;
        const char *idField = from.contains("id") ? "id" : "idx";
        task.name = from.contains(idField) ? textOf(from.at(idField)) : std::to_string(number);
        task.module = {from.at("pytorch_code").get<std::string>(), task.name + ".py"};
        if (!kernelField.empty())
            task.kernel = from.at(kernelField).get<std::string>();
        return task;
    });
}

Result<std::vector<BenchmarkTask>> readTable(const fs::path &file, const std::string &kernelField)
{
    const Result<std::string> text = store::readFile(file, maxTableBytes);
    if (!text)
        return tl::unexpected(text.error());
    std::vector<BenchmarkTask> tasks;
    std::istringstream lines(*text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.empty())
            continue;
        Result<BenchmarkTask> task
            = taskOfLine(Json::parse(line, nullptr, false), file.stem().string(), number, kernelField);
        if (!task)
            return failure(ErrorCode::InvalidData,
                           file.string() + ", line " + std::to_string(number) + ": no task with pytorch_code"
                               + (kernelField.empty() ? "" : " and " + kernelField),
                           task.error().detail);
        tasks.push_back(std::move(*task));
    }
    return tasks;
}

} // namespace

Result<std::vector<BenchmarkTask>> readTasks(const fs::path &path, const std::string &kernelField)
{
    Result<std::vector<BenchmarkTask>> tasks;
    if (fs::is_directory(path)) {
        if (!kernelField.empty())
            return failure(ErrorCode::InvalidArgument, "a kernel field belongs to a .jsonl, not to a folder");
        const std::string level = fs::absolute(path / "").parent_path().filename().string();
        if (const Status added = addFolder(path, level, 0, *tasks); !added)
            return tl::unexpected(added.error());
    } else {
        tasks = readTable(path, kernelField);
    }
    if (tasks && tasks->empty())
        return failure(ErrorCode::NotFound,
                       "there are no tasks in " + path.string()
                           + "; give a folder of PyTorch modules or a .jsonl with pytorch_code");
    return tasks;
}

std::vector<BenchmarkTask> sampleTasks(std::vector<BenchmarkTask> tasks, const TaskSample &sample)
{
    const std::size_t count = static_cast<std::size_t>(sample.count);
    if (sample.count <= 0 || count >= tasks.size())
        return tasks;
    std::vector<std::size_t> order(tasks.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    // Own shuffle: std::shuffle may differ between standard libraries.
    std::mt19937_64 random(sample.seed);
    for (std::size_t i = 0; i < count; ++i)
        std::swap(order[i], order[i + random() % (order.size() - i)]);
    order.resize(count);
    std::ranges::sort(order);
    std::vector<BenchmarkTask> chosen;
    for (const std::size_t index : order)
        chosen.push_back(std::move(tasks[index]));
    return chosen;
}

Status attachKernels(std::vector<BenchmarkTask> &tasks, const fs::path &folder)
{
    int numFound = 0;
    for (BenchmarkTask &task : tasks) {
        for (const fs::path &file : {folder / task.level / (task.name + ".py"), folder / (task.name + ".py")}) {
            if (!fs::exists(file))
                continue;
            Result<std::string> text = store::readFile(file, maxModuleBytes);
            if (!text)
                return tl::unexpected(text.error());
            task.kernel = std::move(*text);
            ++numFound;
            break;
        }
    }
    if (numFound == 0)
        return failure(ErrorCode::NotFound,
                       "no kernel in " + folder.string() + " belongs to a task; name them as the tasks, <name>.py");
    return {};
}

} // namespace dice::services
