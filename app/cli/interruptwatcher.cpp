#include "interruptwatcher.h"

#include <array>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace dice::cli {

namespace {

// A signal handler may do little more than write: the event loop reads the other end.
std::array<int, 2> selfPipe{-1, -1};

void noteSignal(int number)
{
    const char byte = static_cast<char>(number);
    [[maybe_unused]] const ssize_t written = ::write(selfPipe[1], &byte, 1);
}

} // namespace

InterruptWatcher::InterruptWatcher()
{
    if (::pipe2(selfPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return; // then Ctrl-C ends the process as it does any other
    struct sigaction action = {};
    action.sa_handler = noteSignal;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    ::signal(SIGPIPE, SIG_IGN); // a closed terminal or pipe must not end a run half-way
    m_notifier = std::make_unique<QSocketNotifier>(selfPipe[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        if (::read(selfPipe[0], &byte, 1) == 1)
            Q_EMIT interrupted();
    });
}

InterruptWatcher::~InterruptWatcher()
{
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    m_notifier.reset();
    ::close(selfPipe[0]);
    ::close(selfPipe[1]);
}

} // namespace dice::cli
