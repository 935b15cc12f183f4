#include "core/evaluate/sandbox.h"

#include "core/evaluate/seccompfilter.h"
#include "core/evaluate/subprocess.h"

#include <cstdlib>
#include <filesystem>

namespace dice::evaluate {

namespace fs = std::filesystem;

namespace {

constexpr const char *artefactsInBox = "/artefacts";
constexpr const char *programInBox = "/opt/dice/bin/dice-worker";
constexpr const char *pythonRolesInBox = "/opt/dice/bin/dice-worker-python.so"; // beside it, where it looks
constexpr const char *packagesInBox = "/opt/dice/share/dice-studio/python";

std::string findProgram(const std::string &name)
{
    for (const char *folder : {"/usr/bin", "/bin", "/usr/local/bin"})
        if (fs::exists(fs::path(folder) / name))
            return (fs::path(folder) / name).string();
    return {};
}

void bindReadOnly(std::vector<std::string> &arguments, const std::string &path)
{
    if (!path.empty())
        arguments.insert(arguments.end(), {"--ro-bind-try", path, path});
}

void setEnvironment(std::vector<std::string> &arguments, const char *name, const std::string &value)
{
    arguments.insert(arguments.end(), {"--setenv", name, value});
}

} // namespace

const char *toString(WorkerRole role)
{
    switch (role) {
    case WorkerRole::Build:
        return "build";
    case WorkerRole::Reference:
        return "reference";
    case WorkerRole::Candidate:
        return "candidate";
    }
    return "";
}

BoxLimits defaultLimits(WorkerRole role)
{
    BoxLimits limits;
    if (role == WorkerRole::Build)
        limits.memoryBytes = std::int64_t{4} << 30; // two compilers at once with the real torch headers
    return limits;
}

Sandbox Sandbox::probe(const Installation &installation)
{
    Sandbox sandbox(installation);
    const auto buildFilter = compileSeccompFilter(ProcessRule::MayStartProcesses);
    const auto pythonFilter = compileSeccompFilter(ProcessRule::MayNot);
    if (buildFilter && pythonFilter) {
        sandbox.m_buildFilter = *buildFilter;
        sandbox.m_pythonFilter = *pythonFilter;
    } else {
        sandbox.m_filterFault = (buildFilter ? pythonFilter : buildFilter).error().message;
    }
    sandbox.probeBubblewrap();
    sandbox.m_places = findControlGroupPlaces();
    return sandbox;
}

void Sandbox::probeBubblewrap()
{
    m_bubblewrap = findProgram("bwrap");
    if (m_bubblewrap.empty()) {
        m_bubblewrapFault = "bubblewrap is not installed";
        return;
    }
    // User name spaces first; root can do without where they are switched off.
    for (const bool withUserNamespace : {true, false}) {
        m_hasUserNamespace = withUserNamespace;
        std::vector<std::string> arguments = bubblewrapArguments(WorkerRole::Build, -1);
        arguments.insert(arguments.end(), {"--", findProgram("true")});
        const SubprocessResult result = runSubprocess(arguments, 5.0);
        if (result.exitStatus == 0) {
            m_hasBubblewrap = true;
            return;
        }
        m_bubblewrapFault = result.output.substr(0, 200);
    }
}

std::vector<SandboxLayer> Sandbox::layers() const
{
    const bool hasFilter = m_filterFault.empty();
    return {
        {"file system and name spaces", m_hasBubblewrap,
         m_hasBubblewrap ? "bubblewrap: private files, no network, own process numbers" : m_bubblewrapFault,
         m_hasBubblewrap ? ""
                         : "install the package bubblewrap and allow user name spaces "
                           "(sysctl kernel.unprivileged_userns_clone=1; on Ubuntu also "
                           "kernel.apparmor_restrict_unprivileged_userns=0)"},
        {"system calls", hasFilter,
         hasFilter ? "seccomp: no tracing, mounting, keys, new name spaces or processes" : m_filterFault,
         hasFilter ? "" : "use a kernel with CONFIG_SECCOMP_FILTER"},
        {"memory cap", m_places.capsMemory(),
         m_places.capsMemory() ? "control group"
                               : "no control group can be made; the data limit of the process is used",
         m_places.capsMemory() ? "" : "run inside a systemd user session (systemd-run --user --scope dice ...)"},
        {"process cap", m_places.capsProcesses(),
         m_places.capsProcesses() ? "control group" : "no control group can be made; candidates cannot fork at all",
         m_places.capsProcesses() ? "" : "run inside a systemd user session (systemd-run --user --scope dice ...)"},
        {"file size, descriptors, processor time", true, "limits of the process", ""},
    };
}

std::string Sandbox::level() const
{
    if (!m_hasBubblewrap)
        return "none";
    for (const SandboxLayer &layer : layers())
        if (!layer.works)
            return "partial";
    return "full";
}

std::vector<std::string> Sandbox::warnings() const
{
    std::vector<std::string> found;
    for (const SandboxLayer &layer : layers())
        if (!layer.works)
            found.push_back("sandbox without its layer '" + layer.name + "': " + layer.detail);
    return found;
}

const std::string &Sandbox::seccompProgram(WorkerRole role) const
{
    return role == WorkerRole::Build ? m_buildFilter : m_pythonFilter;
}

std::string Sandbox::artefactFolderInBox(const std::string &artefactFolder) const
{
    return m_hasBubblewrap ? artefactsInBox : artefactFolder;
}

std::vector<std::string> Sandbox::commandLine(WorkerRole role, const std::string &artefactFolder,
                                              int seccompDescriptor) const
{
    return boxed(role, artefactFolder, seccompDescriptor, workerCommand(role));
}

std::vector<std::string> Sandbox::boxed(WorkerRole role, const std::string &artefactFolder, int seccompDescriptor,
                                        const std::vector<std::string> &command) const
{
    if (!m_hasBubblewrap)
        return command;
    std::vector<std::string> arguments = bubblewrapArguments(role, seccompDescriptor);
    if (!artefactFolder.empty())
        arguments.insert(arguments.end(), {"--ro-bind", artefactFolder, artefactsInBox});
    arguments.insert(arguments.end(), {"--remount-ro", "/", "--"});
    arguments.insert(arguments.end(), command.begin(), command.end());
    return arguments;
}

std::vector<std::string> Sandbox::workerCommand(WorkerRole role) const
{
    std::vector<std::string> command{m_hasBubblewrap ? programInBox : m_installation.workerProgram, "--role",
                                     toString(role)};
    if (role != WorkerRole::Build)
        command.insert(command.end(),
                       {"--python", m_installation.python, "--packages",
                        m_hasBubblewrap ? packagesInBox : m_installation.pythonPackages});
    return command;
}

std::vector<std::string> Sandbox::bubblewrapArguments(WorkerRole role, int seccompDescriptor) const
{
    std::vector<std::string> arguments{m_bubblewrap,    "--unshare-net",        "--unshare-pid", "--unshare-ipc",
                                       "--unshare-uts", "--unshare-cgroup-try", "--hostname",    "box",
                                       "--new-session", "--die-with-parent",    "--cap-drop",    "ALL",
                                       "--clearenv"};
    if (m_hasUserNamespace)
        arguments.insert(arguments.end(), {"--unshare-user", "--uid", "1000", "--gid", "1000"});
    if (seccompDescriptor >= 0)
        arguments.insert(arguments.end(), {"--seccomp", std::to_string(seccompDescriptor)});
    setEnvironment(arguments, "PATH", "/usr/bin:/bin");
    setEnvironment(arguments, "HOME", "/home");
    setEnvironment(arguments, "USER", "box"); // no account file is in there, and torch asks who it is running as
    setEnvironment(arguments, "TMPDIR", "/tmp");
    setEnvironment(arguments, "LC_ALL", "C.UTF-8");
    setEnvironment(arguments, "OMP_NUM_THREADS", "1");
    setEnvironment(arguments, "MKL_NUM_THREADS", "1");
    setEnvironment(arguments, "PYTHONDONTWRITEBYTECODE", "1");
    setEnvironment(arguments, "PYTHONNOUSERSITE", "1");
    // Read-only there: who writes into the build folder of extensions is seen trying.
    setEnvironment(arguments, "TORCH_EXTENSIONS_DIR", artefactsInBox);
    appendFileSystem(role, arguments);
    return arguments;
}

void Sandbox::appendFileSystem(WorkerRole role, std::vector<std::string> &arguments) const
{
    // Before the folders below: the program itself may be installed under /tmp.
    arguments.insert(arguments.end(),
                     {"--proc", "/proc", "--dev", "/dev", "--size", std::to_string(defaultLimits(role).temporaryBytes),
                      "--tmpfs", "/tmp", "--chdir", "/tmp"});
    for (const char *folder : {"/lib", "/lib64", "/bin"}) {
        std::error_code ignored;
        if (fs::is_symlink(folder))
            arguments.insert(arguments.end(), {"--symlink", fs::read_symlink(folder, ignored).string(), folder});
        else if (std::string(folder) != "/bin")
            bindReadOnly(arguments, folder);
    }
    bindReadOnly(arguments, "/usr/lib");
    bindReadOnly(arguments, "/usr/lib64");
    bindReadOnly(arguments, "/etc/ld.so.cache");
    bindReadOnly(arguments, "/sys/devices/system/cpu"); // torch counts and names the processors
    bindReadOnly(arguments, m_installation.environment);
    if (m_installation.basePython != "/usr")
        bindReadOnly(arguments, m_installation.basePython);
    if (role == WorkerRole::Build) {
        for (const char *path : {"/usr/bin", "/usr/include", "/usr/libexec", "/etc/alternatives"})
            bindReadOnly(arguments, path);
        bindReadOnly(arguments, m_installation.shimInclude);
        if (!m_installation.precompiledHeaders.empty())
            bindReadOnly(arguments, m_installation.precompiledHeaders);
    } else {
        for (const char *path : {"/usr/bin/python3", "/usr/bin/python3.11", "/usr/bin/python3.12"})
            bindReadOnly(arguments, path);
        arguments.insert(arguments.end(),
                         {"--dir", "/home", "--ro-bind-try", m_installation.pythonPackages, packagesInBox});
        arguments.insert(arguments.end(), {"--ro-bind-try", m_installation.pythonRoles, pythonRolesInBox});
    }
    arguments.insert(arguments.end(), {"--ro-bind-try", m_installation.workerProgram, programInBox});
}

} // namespace dice::evaluate
