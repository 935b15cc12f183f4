// Envelopes on stdin and stdout. Writing is safe from several threads.
#pragma once

#include "core/ipc/envelope.h"
#include "core/ipc/framecodec.h"

#include <mutex>
#include <optional>

namespace dice::evaluator {

class MessageStream
{
public:
    void write(const ipc::Envelope &envelope);
    // Waits for the next message; nothing when stdin has closed or carries no messages.
    std::optional<ipc::Envelope> read();

private:
    std::mutex m_writeMutex;
    ipc::FrameDecoder m_decoder{ipc::maxTrustedFrameBytes};
};

} // namespace dice::evaluator
