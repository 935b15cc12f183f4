#include "app/worker/framechannel.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace dice::worker {

namespace {

constexpr int firstPrivateDescriptor = 300; // far from the numbers that programs try

void waitFor(int descriptor, short events)
{
    pollfd waited{descriptor, events, 0};
    ::poll(&waited, 1, -1);
}

} // namespace

FrameChannel FrameChannel::takeStandardStreams()
{
    const int readDescriptor = ::fcntl(0, F_DUPFD_CLOEXEC, firstPrivateDescriptor);
    const int writeDescriptor = ::fcntl(1, F_DUPFD_CLOEXEC, firstPrivateDescriptor);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, 0);
    ::dup2(2, 1);
    ::close(nothing);
    return {readDescriptor, writeDescriptor};
}

// A candidate that makes its descriptors non-blocking changes ours too: EAGAIN is waited out.
void FrameChannel::send(const ipc::Envelope &envelope)
{
    const std::string frame = ipc::encodeFrame(ipc::encode(envelope));
    for (std::size_t sent = 0; sent < frame.size();) {
        const ssize_t size = ::write(m_writeDescriptor, frame.data() + sent, frame.size() - sent);
        if (size > 0)
            sent += static_cast<std::size_t>(size);
        else if (errno == EAGAIN)
            waitFor(m_writeDescriptor, POLLOUT);
        else if (errno != EINTR)
            ::_exit(1); // the judge is gone
    }
}

std::optional<ipc::Envelope> FrameChannel::receive()
{
    std::array<char, 64 << 10> chunk;
    while (true) {
        Result<std::optional<std::string>> frame = m_decoder.next();
        if (!frame)
            return std::nullopt;
        if (*frame) {
            Result<ipc::Envelope> envelope = ipc::decode(**frame);
            return envelope ? std::optional(std::move(*envelope)) : std::nullopt;
        }
        const ssize_t size = ::read(m_readDescriptor, chunk.data(), chunk.size());
        if (size > 0)
            m_decoder.append({chunk.data(), static_cast<std::size_t>(size)});
        else if (size < 0 && errno == EAGAIN)
            waitFor(m_readDescriptor, POLLIN);
        else if (size == 0 || errno != EINTR)
            return std::nullopt;
    }
}

} // namespace dice::worker
