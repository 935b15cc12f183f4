// Frames on a byte stream: 4 bytes little-endian length, then that many bytes of JSON.
// The decoder takes bytes in any portions and gives whole frames; a length over the cap ends the stream.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dice::ipc {

inline constexpr std::size_t maxTrustedFrameBytes = 64u << 20;
inline constexpr std::size_t maxWorkerFrameBytes = 4u << 20; // a candidate can write to its worker's pipe

std::string encodeFrame(std::string_view body);

class FrameDecoder
{
public:
    explicit FrameDecoder(std::size_t maxFrameBytes = maxTrustedFrameBytes)
        : m_maxFrameBytes(maxFrameBytes)
    {
    }

    void append(std::string_view bytes);

    // The next whole frame, nothing when more bytes are needed, or InvalidData once and for all after a
    // length over the cap.
    Result<std::optional<std::string>> next();

    // True when the stream ended inside a frame.
    bool hasPartialFrame() const { return m_buffer.size() > m_consumed; }

private:
    std::size_t m_maxFrameBytes;
    std::string m_buffer;
    std::size_t m_consumed = 0; // bytes of m_buffer already given out
    bool m_isBroken = false;
};

} // namespace dice::ipc
