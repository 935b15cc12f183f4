#include "framestream.h"

#include "core/base/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace dice::engine {

FrameStream FrameStream::takeStandardStreams()
{
    std::signal(SIGPIPE, SIG_IGN); // a vanished peer is an error of write
    const int readDescriptor = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    const int writeDescriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::close(nothing);
    return {readDescriptor, writeDescriptor};
}

FrameStream::FrameStream(int readDescriptor, int writeDescriptor)
    : m_readDescriptor(readDescriptor)
    , m_writeDescriptor(writeDescriptor)
{
}

FrameStream::FrameStream(FrameStream &&other) noexcept
    : m_readDescriptor(std::exchange(other.m_readDescriptor, -1))
    , m_writeDescriptor(std::exchange(other.m_writeDescriptor, -1))
    , m_decoder(std::move(other.m_decoder))
    , m_isBroken(other.m_isBroken)
{
}

FrameStream::~FrameStream()
{
    if (m_readDescriptor >= 0)
        ::close(m_readDescriptor);
    if (m_writeDescriptor >= 0)
        ::close(m_writeDescriptor);
}

bool FrameStream::send(const ipc::Envelope &envelope)
{
    const std::string frame = ipc::encodeFrame(ipc::encode(envelope));
    const std::lock_guard lock(m_sending);
    for (std::size_t sent = 0; sent < frame.size();) {
        const ssize_t size = ::write(m_writeDescriptor, frame.data() + sent, frame.size() - sent);
        if (size < 0 && errno != EINTR)
            return false;
        sent += size > 0 ? static_cast<std::size_t>(size) : 0;
    }
    return true;
}

std::optional<Result<ipc::Envelope>> FrameStream::receive()
{
    std::array<char, 64 << 10> chunk;
    while (!m_isBroken) {
        Result<std::optional<std::string>> frame = m_decoder.next();
        if (!frame) {
            m_isBroken = true;
            return tl::unexpected(frame.error());
        }
        if (*frame)
            return ipc::decode(**frame);
        const ssize_t size = ::read(m_readDescriptor, chunk.data(), chunk.size());
        if (size > 0)
            m_decoder.append({chunk.data(), static_cast<std::size_t>(size)});
        else if (size == 0 || errno != EINTR)
            break;
    }
    return std::nullopt;
}

} // namespace dice::engine
