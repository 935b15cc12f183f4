#include "core/evaluate/subprocess.h"

#include "core/evaluate/filedescriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <thread>

namespace dice::evaluate {

namespace {

constexpr std::size_t maxOutputBytes = 4096;

void readUntilClosed(int descriptor, double limitSeconds, std::string &output)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limitSeconds);
    std::array<char, 1024> chunk;
    while (true) {
        const auto left
            = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
        pollfd waited{descriptor, POLLIN, 0};
        if (left <= 0 || ::poll(&waited, 1, static_cast<int>(left)) <= 0)
            return;
        const ssize_t size = ::read(descriptor, chunk.data(), chunk.size());
        if (size <= 0)
            return;
        if (output.size() < maxOutputBytes)
            output.append(chunk.data(), static_cast<std::size_t>(size));
    }
}

// Output closed is not yet exited: a moment of grace, then the end.
int exitStatusOf(pid_t process)
{
    int status = 0;
    pid_t ended = 0;
    for (int attempt = 0; attempt < 100 && ended == 0; ++attempt) {
        ended = ::waitpid(process, &status, WNOHANG);
        if (ended == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (ended == 0) {
        ::kill(process, SIGKILL);
        ended = ::waitpid(process, &status, 0);
    }
    return ended == process && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

SubprocessResult runSubprocess(const std::vector<std::string> &arguments, double limitSeconds)
{
    SubprocessResult result;
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return result;
    FileDescriptor readEnd(ends[0]);
    FileDescriptor writeEnd(ends[1]);
    std::vector<char *> argv;
    for (const std::string &word : arguments)
        argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t process = ::fork();
    if (process == 0) {
        ::dup2(writeEnd.get(), 1);
        ::dup2(writeEnd.get(), 2);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    writeEnd.reset();
    if (process < 0)
        return result;
    readUntilClosed(readEnd.get(), limitSeconds, result.output);
    result.exitStatus = exitStatusOf(process);
    return result;
}

} // namespace dice::evaluate
