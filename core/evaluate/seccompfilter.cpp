#include "core/evaluate/seccompfilter.h"

#include "core/evaluate/filedescriptor.h"

#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <linux/sched.h>
#include <memory>

namespace dice::evaluate {

namespace {

// What no compiler and no kernel needs, and what has let programs out of boxes before.
constexpr std::array deniedCalls{
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "kcmp",
    "pidfd_getfd",
    "add_key",
    "request_key",
    "keyctl",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "move_mount",
    "open_tree",
    "fsopen",
    "fsmount",
    "fsconfig",
    "fspick",
    "mount_setattr",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "unshare",
    "setns",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "kexec_load",
    "kexec_file_load",
    "init_module",
    "finit_module",
    "delete_module",
    "reboot",
    "swapon",
    "swapoff",
    "sethostname",
    "setdomainname",
    "acct",
    "quotactl",
    "syslog",
    "settimeofday",
    "clock_settime",
    "adjtimex",
    "clock_adjtime",
    "name_to_handle_at",
    "open_by_handle_at",
    "personality",
    "iopl",
    "ioperm",
    "modify_ldt",
    "vhangup",
    "fanotify_init",
    "lookup_dcookie",
    "uselib",
    "ustat",
    "mknod",
    "mknodat",
};

constexpr unsigned long namespaceFlags
    = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
constexpr unsigned long terminalInjection = 0x5412; // TIOCSTI

using Context = std::unique_ptr<void, decltype(&seccomp_release)>;

int addCommonRules(void *context)
{
    int worst = 0;
    for (const char *name : deniedCalls) {
        const int call = seccomp_syscall_resolve_name(name);
        if (call != __NR_SCMP_ERROR && call >= 0)
            worst = std::min(worst, seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), call, 0));
    }
    // One rule a flag: a masked comparison asks for all bits at once.
    for (unsigned long flag = 1; flag != 0 && flag <= namespaceFlags; flag <<= 1) {
        if ((namespaceFlags & flag) != 0)
            worst = std::min(worst,
                             seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                              SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)));
    }
    // clone3 hides its flags behind a pointer; glibc falls back to clone.
    worst = std::min(worst, seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
    worst = std::min(worst,
                     seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                                      SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, terminalInjection)));
    return worst;
}

int addSingleProcessRules(void *context)
{
    int worst = 0;
    for (const int call : {SCMP_SYS(fork), SCMP_SYS(vfork)})
        worst = std::min(worst, seccomp_rule_add(context, SCMP_ACT_TRAP, call, 0));
    worst = std::min(
        worst,
        seccomp_rule_add(context, SCMP_ACT_TRAP, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)));
    worst
        = std::min(worst, seccomp_rule_add(context, SCMP_ACT_TRAP, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_NE, AF_UNIX)));
    // Name services try a local socket on their own: refused, but no sign of anything.
    worst = std::min(
        worst, seccomp_rule_add(context, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_EQ, AF_UNIX)));
    return worst;
}

Result<std::string> exported(void *context)
{
    const FileDescriptor file(::memfd_create("dice-seccomp", MFD_CLOEXEC));
    if (!file.isOpen() || seccomp_export_bpf(context, file.get()) != 0)
        return failure(ErrorCode::Io, "the system-call filter cannot be written", std::strerror(errno));
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    std::string program(static_cast<std::size_t>(size), '\0');
    if (::pread(file.get(), program.data(), program.size(), 0) != size)
        return failure(ErrorCode::Io, "the system-call filter cannot be read back", std::strerror(errno));
    return program;
}

} // namespace

Result<std::string> compileSeccompFilter(ProcessRule rule)
{
    const Context context(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
    if (context == nullptr)
        return failure(ErrorCode::Unsupported, "this machine has no system-call filters (seccomp)");
    int worst = addCommonRules(context.get());
    if (rule == ProcessRule::MayNot)
        worst = std::min(worst, addSingleProcessRules(context.get()));
    if (worst != 0)
        return failure(ErrorCode::Unsupported, "a rule of the system-call filter was refused", std::strerror(-worst));
    return exported(context.get());
}

} // namespace dice::evaluate
