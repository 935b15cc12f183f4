#include "app/evaluator/messagestream.h"

#include "core/base/log.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace dice::evaluator {

void MessageStream::write(const ipc::Envelope &envelope)
{
    const std::string frame = ipc::encodeFrame(ipc::encode(envelope));
    const std::lock_guard lock(m_writeMutex);
    for (std::size_t sent = 0; sent < frame.size();) {
        const ssize_t size = ::write(STDOUT_FILENO, frame.data() + sent, frame.size() - sent);
        if (size > 0)
            sent += static_cast<std::size_t>(size);
        else if (errno != EINTR)
            return; // the reader is gone; stdin tells
    }
}

std::optional<ipc::Envelope> MessageStream::read()
{
    std::array<char, 64 << 10> chunk;
    while (true) {
        Result<std::optional<std::string>> frame = m_decoder.next();
        if (!frame) {
            spdlog::error("stdin carries no messages: {}", frame.error().message);
            return std::nullopt;
        }
        if (*frame) {
            Result<ipc::Envelope> envelope = ipc::decode(**frame);
            if (envelope)
                return std::move(*envelope);
            spdlog::error("a message cannot be read: {}", envelope.error().message);
            return std::nullopt;
        }
        const ssize_t size = ::read(STDIN_FILENO, chunk.data(), chunk.size());
        if (size > 0)
            m_decoder.append({chunk.data(), static_cast<std::size_t>(size)});
        else if (size == 0 || errno != EINTR)
            return std::nullopt;
    }
}

} // namespace dice::evaluator
