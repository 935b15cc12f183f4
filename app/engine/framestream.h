// Whole messages over the process's standard streams. Sending is safe from several threads; receiving blocks one.
// Must not know what the messages say.
#pragma once

#include "core/ipc/envelope.h"
#include "core/ipc/framecodec.h"

#include <mutex>
#include <optional>

namespace dice::engine {

class FrameStream
{
public:
    // Keeps fd 0 and fd 1 for frames under other numbers, and points fd 1 at stderr: what a library prints is no
    // frame. Call before anything else runs.
    static FrameStream takeStandardStreams();

    FrameStream(FrameStream &&other) noexcept;
    ~FrameStream();

    // False once the peer has closed its end; further messages are dropped.
    bool send(const ipc::Envelope &envelope);

    // The next message; nothing at the end of the stream. A frame that is no message gives an Error and the stream
    // goes on, a length over the cap ends it.
    std::optional<Result<ipc::Envelope>> receive();

private:
    FrameStream(int readDescriptor, int writeDescriptor);

    int m_readDescriptor = -1;
    int m_writeDescriptor = -1;
    std::mutex m_sending;
    ipc::FrameDecoder m_decoder;
    bool m_isBroken = false;
};

} // namespace dice::engine
