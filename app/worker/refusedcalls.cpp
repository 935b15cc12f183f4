#include "app/worker/refusedcalls.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace dice::worker {

namespace {

struct Counter
{
    int call;
    const char *name;
    std::atomic<int> count{0};
};

std::array<Counter, 4> counters{
    {{SYS_fork, "fork"}, {SYS_vfork, "vfork"}, {SYS_clone, "clone"}, {SYS_socket, "socket"}}};

void onRefused(int, siginfo_t *info, void *context)
{
    for (Counter &counter : counters)
        if (counter.call == info->si_syscall)
            counter.count.fetch_add(1, std::memory_order_relaxed);
    static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RAX] = -EPERM;
}

} // namespace

void installRefusedCallHandler()
{
    struct sigaction action
    {
    };
    action.sa_sigaction = onRefused;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    ::sigaction(SIGSYS, &action, nullptr);
}

std::vector<std::string> refusedCalls()
{
    std::vector<std::string> found;
    for (const Counter &counter : counters)
        if (const int count = counter.count.load(std::memory_order_relaxed); count > 0)
            found.push_back(std::string(counter.name) + ": " + std::to_string(count) + " times");
    return found;
}

} // namespace dice::worker
