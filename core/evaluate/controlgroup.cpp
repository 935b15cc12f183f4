#include "core/evaluate/controlgroup.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace dice::evaluate {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view groupPrefix = "dice-box-";

std::string readText(const std::string &path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool writeText(const std::string &path, const std::string &text)
{
    std::ofstream file(path);
    file << text;
    file.flush();
    return file.good();
}

// "name value" lines, as in memory.events.
std::int64_t counter(const std::string &path, const std::string &name)
{
    std::istringstream lines(readText(path));
    std::string key;
    std::int64_t value = 0;
    while (lines >> key >> value)
        if (key == name)
            return value;
    return 0;
}

struct Mounts
{
    std::string unified;
    std::string memory;
    std::string pids;
};

Mounts findMounts()
{
    Mounts mounts;
    std::istringstream lines(readText("/proc/self/mounts"));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string device, folder, type, options;
        fields >> device >> folder >> type >> options;
        const std::string padded = "," + options + ",";
        if (type == "cgroup2")
            mounts.unified = folder;
        else if (type == "cgroup" && padded.find(",memory,") != std::string::npos)
            mounts.memory = folder;
        else if (type == "cgroup" && padded.find(",pids,") != std::string::npos)
            mounts.pids = folder;
    }
    return mounts;
}

// The own group in one hierarchy: "" names the unified one.
std::string ownGroup(const std::string &controller)
{
    std::istringstream lines(readText("/proc/self/cgroup"));
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool isIt
            = controller.empty() ? controllers == ",," : controllers.find("," + controller + ",") != std::string::npos;
        if (isIt)
            return line.substr(second + 1);
    }
    return "/";
}

bool canHoldGroups(const std::string &folder, const char *limitFile)
{
    const std::string trial = folder + "/" + std::string(groupPrefix) + std::to_string(::getpid()) + "-probe";
    if (::mkdir(trial.c_str(), 0755) != 0)
        return false;
    const bool works = ::access((trial + "/" + limitFile).c_str(), W_OK) == 0
        && ::access((trial + "/cgroup.procs").c_str(), W_OK) == 0;
    ::rmdir(trial.c_str());
    return works;
}

// A group of version 2 that holds processes can have no limited children: the parent comes first.
std::string placeIn(const std::string &mount, const std::string &own, const char *limitFile)
{
    if (mount.empty())
        return {};
    const fs::path ownFolder = fs::path(mount + own).lexically_normal();
    for (const fs::path &folder : {ownFolder, ownFolder.parent_path(), fs::path(mount)}) {
        const std::string text = folder.string();
        if (text.starts_with(mount) && canHoldGroups(text, limitFile))
            return text;
    }
    return {};
}

std::vector<pid_t> members(const std::string &folder)
{
    std::vector<pid_t> found;
    std::istringstream lines(readText(folder + "/cgroup.procs"));
    for (pid_t process = 0; lines >> process;)
        found.push_back(process);
    return found;
}

void killMembers(const std::string &folder)
{
    if (writeText(folder + "/cgroup.kill", "1"))
        return;
    for (const pid_t process : members(folder))
        if (process > 0)
            ::kill(process, SIGKILL);
}

// A killed process leaves its group a moment later.
void removeGroup(const std::string &folder)
{
    for (int attempt = 0; attempt < 200; ++attempt) {
        if (::rmdir(folder.c_str()) == 0 || errno == ENOENT)
            return;
        killMembers(folder);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void sweepFolder(const std::string &folder)
{
    std::error_code ignored;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(groupPrefix))
            continue;
        const pid_t owner = std::atoi(name.c_str() + groupPrefix.size());
        if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH)
            removeGroup(entry.path().string());
    }
}

} // namespace

ControlGroupPlaces findControlGroupPlaces()
{
    const Mounts mounts = findMounts();
    ControlGroupPlaces places;
    places.unified = placeIn(mounts.unified, ownGroup(""), "memory.max");
    if (!places.unified.empty())
        return places;
    places.memory = placeIn(mounts.memory, ownGroup("memory"), "memory.limit_in_bytes");
    places.pids = placeIn(mounts.pids, ownGroup("pids"), "pids.max");
    return places;
}

void sweepControlGroups(const ControlGroupPlaces &places)
{
    for (const std::string &folder : {places.unified, places.memory, places.pids})
        if (!folder.empty())
            sweepFolder(folder);
}

std::optional<ControlGroup> ControlGroup::create(const ControlGroupPlaces &places, const ControlGroupLimits &limits)
{
    static std::atomic<int> numMade{0};
    const std::string name = std::string(groupPrefix) + std::to_string(::getpid()) + "-" + std::to_string(++numMade);
    ControlGroup group;
    for (const std::string &place : {places.unified, places.memory, places.pids}) {
        const std::string folder = place + "/" + name;
        if (place.empty() || ::mkdir(folder.c_str(), 0755) != 0)
            continue;
        group.m_folders.push_back(folder);
        group.m_joinFiles.push_back(folder + "/cgroup.procs");
        const std::string memory = std::to_string(limits.memoryBytes);
        const std::array<std::pair<const char *, std::string>, 6> settings{{
            {"memory.max", memory},
            {"memory.swap.max", "0"},
            {"memory.oom.group", "1"},
            {"memory.limit_in_bytes", memory},
            {"memory.memsw.limit_in_bytes", memory},
            {"pids.max", std::to_string(limits.numProcesses)},
        }};
        for (const auto &[file, value] : settings)
            if (::access((folder + "/" + file).c_str(), W_OK) == 0)
                writeText(folder + "/" + file, value);
    }
    if (group.m_folders.empty())
        return std::nullopt;
    return group;
}

ControlGroup::~ControlGroup()
{
    for (const std::string &folder : m_folders)
        removeGroup(folder);
}

std::int64_t ControlGroup::numMemoryKills() const
{
    std::int64_t kills = 0;
    for (const std::string &folder : m_folders)
        kills += counter(folder + "/memory.events", "oom_kill") + counter(folder + "/memory.oom_control", "oom_kill");
    return kills;
}

std::int64_t ControlGroup::numForkDenials() const
{
    std::int64_t denials = 0;
    for (const std::string &folder : m_folders)
        denials += counter(folder + "/pids.events", "max");
    return denials;
}

bool ControlGroup::isEmpty() const
{
    for (const std::string &folder : m_folders)
        if (!members(folder).empty())
            return false;
    return true;
}

void ControlGroup::killAll() const
{
    for (const std::string &folder : m_folders)
        killMembers(folder);
}

} // namespace dice::evaluate
