#include "core/evaluate/temporaryfolder.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace dice::evaluate {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view runtimePrefix = "dice-evaluator-";

fs::path runtimeParent()
{
    const char *runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code ignored;
    if (runtime != nullptr && ::access(runtime, W_OK | X_OK) == 0)
        return runtime;
    return fs::temp_directory_path(ignored);
}

void sweep(const fs::path &parent)
{
    std::error_code ignored;
    for (const fs::directory_entry &entry : fs::directory_iterator(parent, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(runtimePrefix))
            continue;
        const pid_t owner = std::atoi(name.c_str() + runtimePrefix.size());
        if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH)
            fs::remove_all(entry.path(), ignored);
    }
}

} // namespace

Result<TemporaryFolder> TemporaryFolder::create(const std::string &parent, const std::string &name)
{
    TemporaryFolder folder;
    folder.m_path = (fs::path(parent) / name).string();
    std::error_code fault;
    fs::create_directories(folder.m_path, fault);
    if (fault)
        return failure(ErrorCode::Io, "the folder " + folder.m_path + " cannot be made", fault.message());
    return folder;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{
}

TemporaryFolder &TemporaryFolder::operator=(TemporaryFolder &&other) noexcept
{
    std::swap(m_path, other.m_path);
    return *this;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
}

Result<TemporaryFolder> createRuntimeFolder()
{
    const fs::path parent = runtimeParent();
    sweep(parent);
    return TemporaryFolder::create(parent.string(), std::string(runtimePrefix) + std::to_string(::getpid()));
}

} // namespace dice::evaluate
