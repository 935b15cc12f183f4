#include "app/worker/compilerprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace dice::worker {

namespace {

constexpr std::size_t maxLogBytes = 256 << 10;

pid_t start(const std::vector<std::string> &command, const std::string &folder, int output)
{
    std::vector<char *> argv;
    for (const std::string &word : command)
        argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t process = ::fork();
    if (process != 0)
        return process;
    ::dup2(output, 1);
    ::dup2(output, 2);
    if (::chdir(folder.c_str()) == 0)
        ::execvp(argv[0], argv.data());
    ::dprintf(2, "%s: %s\n", argv[0], std::strerror(errno));
    ::_exit(127);
}

void readLog(int descriptor, std::string &log)
{
    std::array<char, 16 << 10> chunk;
    while (true) {
        const ssize_t size = ::read(descriptor, chunk.data(), chunk.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            return;
        if (log.size() < maxLogBytes)
            log.append(chunk.data(), std::min(static_cast<std::size_t>(size), maxLogBytes - log.size()));
    }
}

} // namespace

Result<CommandOutcome> runCommands(const std::vector<std::vector<std::string>> &commands, const std::string &folder)
{
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return failure(ErrorCode::Io, "a pipe to a compiler cannot be made", std::strerror(errno));
    std::vector<pid_t> processes;
    for (const auto &command : commands)
        processes.push_back(start(command, folder, ends[1]));
    ::close(ends[1]);
    CommandOutcome outcome;
    readLog(ends[0], outcome.log);
    ::close(ends[0]);
    for (const pid_t process : processes) {
        int status = 0;
        const bool hasEnded = process > 0 && ::waitpid(process, &status, 0) == process;
        outcome.exitCodes.push_back(hasEnded && WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    return outcome;
}

} // namespace dice::worker
