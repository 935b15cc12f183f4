#include "core/evaluate/box.h"

#include "core/evaluate/boxlaunch.h"
#include "core/evaluate/processtime.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace dice::evaluate {

namespace {

constexpr std::size_t maxErrorOutputBytes = 64 << 10;

// Descriptors that the child moves to 0..5 must not lie there already.
FileDescriptor raised(FileDescriptor low)
{
    return FileDescriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, 16));
}

Status makePipe(FileDescriptor &readEnd, FileDescriptor &writeEnd)
{
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return failure(ErrorCode::Io, "a pipe to a worker cannot be made", std::strerror(errno));
    readEnd = raised(FileDescriptor(ends[0]));
    writeEnd = raised(FileDescriptor(ends[1]));
    return {};
}

void makeNonBlocking(const FileDescriptor &descriptor)
{
    ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

Result<FileDescriptor> fileHolding(const std::string &bytes)
{
    FileDescriptor file = raised(FileDescriptor(::memfd_create("dice-seccomp", MFD_CLOEXEC)));
    const auto size = static_cast<ssize_t>(bytes.size());
    if (!file.isOpen() || ::write(file.get(), bytes.data(), bytes.size()) != size)
        return failure(ErrorCode::Io, "the system-call filter cannot be handed over", std::strerror(errno));
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

std::string describeStatus(int status)
{
    // bubblewrap reports a signal of its child as 128 + number.
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
    if (signal > 0 && signal < 65) {
        const char *name = ::sigdescr_np(signal);
        return "it died of signal " + std::to_string(signal) + (name ? std::string(" (") + name + ")" : "");
    }
    return "it ended by itself with status " + std::to_string(WEXITSTATUS(status)) + " before it had answered";
}

} // namespace

Result<std::unique_ptr<Box>> Box::start(const Sandbox &sandbox, const BoxOptions &options)
{
    const std::string &program = sandbox.seccompProgram(options.role);
    const int descriptor = program.empty() || !sandbox.hasBubblewrap() ? -1 : workerSeccompDescriptor;
    return startProgram(sandbox.commandLine(options.role, options.artefactFolder, descriptor), program,
                        sandbox.controlGroupPlaces(), options);
}

Result<std::unique_ptr<Box>> Box::startProgram(const std::vector<std::string> &arguments,
                                               const std::string &seccompProgram, const ControlGroupPlaces &places,
                                               const BoxOptions &options)
{
    std::unique_ptr<Box> box(new Box(options));
    if (Status prepared = box->prepare(seccompProgram, places); !prepared)
        return tl::unexpected(prepared.error());
    const bool hasOwnFilter = std::find(arguments.begin(), arguments.end(), "--seccomp") != arguments.end();
    if (Status launched = box->launch(arguments, seccompProgram, hasOwnFilter); !launched)
        return tl::unexpected(launched.error());
    return box;
}

Status Box::prepare(const std::string &seccompProgram, const ControlGroupPlaces &places)
{
    Result<Arena> input = Arena::create(Arena::Access::WorkerReads, m_options.arenaBytes);
    Result<Arena> output = Arena::create(Arena::Access::WorkerWrites, m_options.arenaBytes);
    if (!input || !output)
        return tl::unexpected((input ? output : input).error());
    m_inputArena = std::move(*input);
    m_outputArena = std::move(*output);
    for (const Status &made : {makePipe(m_childRequests, m_requests), makePipe(m_replies, m_childReplies),
                               makePipe(m_errors, m_childErrors)})
        if (!made)
            return made;
    for (const FileDescriptor *own : {&m_requests, &m_replies, &m_errors})
        makeNonBlocking(*own);
    if (!seccompProgram.empty()) {
        Result<FileDescriptor> file = fileHolding(seccompProgram);
        if (!file)
            return tl::unexpected(file.error());
        m_seccompFile = std::move(*file);
    }
    const BoxLimits limits = defaultLimits(m_options.role);
    if (std::optional<ControlGroup> group = ControlGroup::create(places, {limits.memoryBytes, limits.numProcesses}))
        m_group.emplace(std::move(*group));
    return {};
}

Status Box::launch(const std::vector<std::string> &arguments, const std::string &seccompProgram, bool hasOwnFilter)
{
    const FileDescriptor input = raised(FileDescriptor(::fcntl(m_inputArena.descriptorForBox(), F_DUPFD_CLOEXEC, 16)));
    const FileDescriptor output
        = raised(FileDescriptor(::fcntl(m_outputArena.descriptorForBox(), F_DUPFD_CLOEXEC, 16)));
    BoxLaunch launch;
    launch.arguments = arguments;
    launch.limits = defaultLimits(m_options.role);
    launch.descriptors = {m_childRequests.get(), m_childReplies.get(), m_childErrors.get(),
                          input.get(),           output.get(),         hasOwnFilter ? m_seccompFile.get() : -1};
    if (!hasOwnFilter)
        launch.seccompProgram = seccompProgram;
    if (m_group)
        launch.joinFiles = m_group->joinFiles();
    Result<pid_t> process = startProcess(launch);
    if (!process)
        return tl::unexpected(process.error());
    m_process = *process;
    m_childRequests.reset();
    m_childReplies.reset();
    m_childErrors.reset();
    m_seccompFile.reset();
    return {};
}

Box::~Box()
{
    kill();
}

void Box::wait(WaitFor what, int milliseconds)
{
    std::array<pollfd, 3> waited{{{m_replies.get(), POLLIN, 0}, {m_errors.get(), POLLIN, 0}, {-1, POLLOUT, 0}}};
    if (what == WaitFor::ReadingOrWriting)
        waited[2].fd = m_requests.get();
    ::poll(waited.data(), waited.size(), milliseconds);
    if (waited[1].revents != 0)
        drainErrorOutput();
}

ReadOutcome Box::readReplies(std::string &bytes)
{
    std::array<char, 64 << 10> chunk;
    const ssize_t size = ::read(m_replies.get(), chunk.data(), chunk.size());
    if (size > 0) {
        bytes.append(chunk.data(), static_cast<std::size_t>(size));
        return ReadOutcome::Bytes;
    }
    return size < 0 && (errno == EAGAIN || errno == EINTR) ? ReadOutcome::Nothing : ReadOutcome::Closed;
}

std::ptrdiff_t Box::writeRequests(std::string_view bytes)
{
    const ssize_t size = ::write(m_requests.get(), bytes.data(), bytes.size());
    if (size >= 0)
        return size;
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

bool Box::drainErrorOutput()
{
    std::array<char, 16 << 10> chunk;
    const ssize_t size = ::read(m_errors.get(), chunk.data(), chunk.size());
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
        m_errors.reset(); // closed: poll ignores a descriptor of -1
        return false;
    }
    if (size < 0)
        return false;
    m_errorOutput.append(chunk.data(), static_cast<std::size_t>(size));
    if (m_errorOutput.size() > maxErrorOutputBytes)
        m_errorOutput.erase(0, m_errorOutput.size() - maxErrorOutputBytes);
    return true;
}

double Box::processorSeconds() const
{
    return processorSecondsOf(m_process);
}

void Box::kill()
{
    if (m_process <= 0)
        return;
    if (!m_waitStatus && ::waitpid(m_process, &m_waitStatus.emplace(0), WNOHANG) != m_process) {
        m_waitStatus.reset();
        m_wasKilledByUs = true;
    }
    ::kill(m_process, SIGKILL);
    reap();
}

// The first process of the box carries the rest with it; the control group, where there is one, tells when all
// are gone.
void Box::reap()
{
    if (m_process <= 0)
        return;
    if (!m_waitStatus)
        ::waitpid(m_process, &m_waitStatus.emplace(0), 0);
    m_process = -1;
    if (m_group) {
        m_numMemoryKills = m_group->numMemoryKills();
        m_numForkDenials = m_group->numForkDenials();
        for (int attempt = 0; attempt < 400 && !m_group->isEmpty(); ++attempt) {
            m_group->killAll();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        m_group.reset();
    }
    while (drainErrorOutput()) { }
}

std::string Box::describeEnd()
{
    // The pipe closes a moment before the process is gone.
    for (int attempt = 0; attempt < 100 && m_process > 0 && !m_waitStatus; ++attempt) {
        if (::waitpid(m_process, &m_waitStatus.emplace(0), WNOHANG) == m_process)
            break;
        m_waitStatus.reset();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    kill();
    if (m_numMemoryKills > 0)
        return "it used more memory than its cap of " + std::to_string(defaultLimits(m_options.role).memoryBytes >> 20)
            + " MiB and was ended";
    if (m_wasKilledByUs || !m_waitStatus)
        return "it closed its pipe before it had answered";
    return describeStatus(*m_waitStatus);
}

} // namespace dice::evaluate
