#include "core/evaluate/boxlaunch.h"

#include "core/evaluate/filedescriptor.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <linux/filter.h>
#include <linux/seccomp.h>

namespace dice::evaluate {

namespace {

// Torch reserves much that it never touches: the limit of the data segment is the net under the control group.
constexpr std::int64_t dataSlackBytes = std::int64_t{2} << 30;

// Everything that the child needs, made before the fork: after it only async-signal-safe calls are allowed.
struct ChildPlan
{
    std::vector<char *> argv;
    std::vector<FileDescriptor> joinFiles;
    std::array<std::pair<int, rlim_t>, 5> limits;
    sock_fprog filter{};
    const BoxLaunch *launch = nullptr;
};

void setLimits(const ChildPlan &plan)
{
    for (const auto &[resource, value] : plan.limits) {
        const rlimit limit{value, value};
        ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
    }
}

void resetSignals()
{
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
}

void moveDescriptors(const std::array<int, 6> &descriptors)
{
    for (int target = 0; target < static_cast<int>(descriptors.size()); ++target)
        if (descriptors[static_cast<std::size_t>(target)] >= 0)
            ::dup2(descriptors[static_cast<std::size_t>(target)], target); // clears close-on-exec
}

[[noreturn]] void runChild(const ChildPlan &plan)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    resetSignals();
    for (const FileDescriptor &file : plan.joinFiles)
        if (::write(file.get(), "0", 1) < 0)
            continue; // seen by the probe; a group that vanished since must not keep the box from starting
    setLimits(plan);
    moveDescriptors(plan.launch->descriptors);
    if (plan.filter.len > 0) {
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &plan.filter);
    }
    ::execv(plan.argv[0], plan.argv.data());
    ::_exit(127);
}

} // namespace

Result<pid_t> startProcess(const BoxLaunch &launch)
{
    ChildPlan plan;
    plan.launch = &launch;
    for (const std::string &word : launch.arguments)
        plan.argv.push_back(const_cast<char *>(word.c_str()));
    plan.argv.push_back(nullptr);
    for (const std::string &file : launch.joinFiles)
        plan.joinFiles.emplace_back(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    plan.limits = {{{RLIMIT_CORE, 0},
                    {RLIMIT_FSIZE, static_cast<rlim_t>(launch.limits.fileBytes)},
                    {RLIMIT_NOFILE, 512},
                    {RLIMIT_CPU, static_cast<rlim_t>(launch.limits.cpuSeconds)},
                    {RLIMIT_DATA, static_cast<rlim_t>(launch.limits.memoryBytes + dataSlackBytes)}}};
    std::string program = launch.seccompProgram; // sock_filter is not const in the kernel's struct
    if (!program.empty()) {
        plan.filter.len = static_cast<unsigned short>(program.size() / sizeof(sock_filter));
        plan.filter.filter = reinterpret_cast<sock_filter *>(program.data());
    }
    const pid_t process = ::fork();
    if (process == 0)
        runChild(plan);
    if (process < 0)
        return failure(ErrorCode::Io, "a worker process cannot be started", std::strerror(errno));
    return process;
}

} // namespace dice::evaluate
