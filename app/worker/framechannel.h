// The worker's end of the pipe to the judge: whole messages, blocking. Must not know what they say.
#pragma once

#include "core/ipc/envelope.h"
#include "core/ipc/framecodec.h"

#include <optional>

namespace dice::worker {

class FrameChannel
{
public:
    // Moves stdin and stdout to high descriptor numbers and points fd 0 at nothing, fd 1 at stderr: what a candidate
    // prints is no message. Call before anything else runs.
    static FrameChannel takeStandardStreams();

    void send(const ipc::Envelope &envelope);
    // Nothing when the judge has closed the pipe or sends what is no message: time to end.
    std::optional<ipc::Envelope> receive();

private:
    FrameChannel(int readDescriptor, int writeDescriptor)
        : m_readDescriptor(readDescriptor)
        , m_writeDescriptor(writeDescriptor)
    {
    }

    int m_readDescriptor;
    int m_writeDescriptor;
    ipc::FrameDecoder m_decoder{ipc::maxTrustedFrameBytes};
};

} // namespace dice::worker
