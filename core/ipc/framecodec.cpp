#include "framecodec.h"

namespace dice::ipc {

namespace {
constexpr std::size_t prefixBytes = 4;
}

std::string encodeFrame(std::string_view body)
{
    std::string frame;
    frame.reserve(prefixBytes + body.size());
    for (std::size_t i = 0; i < prefixBytes; ++i)
        frame.push_back(static_cast<char>((body.size() >> (8 * i)) & 0xff));
    frame.append(body);
    return frame;
}

void FrameDecoder::append(std::string_view bytes)
{
    if (m_consumed > 0) {
        m_buffer.erase(0, m_consumed);
        m_consumed = 0;
    }
    m_buffer.append(bytes);
}

Result<std::optional<std::string>> FrameDecoder::next()
{
    const std::string_view rest = std::string_view(m_buffer).substr(m_consumed);
    if (!m_isBroken && rest.size() < prefixBytes)
        return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; !m_isBroken && i < prefixBytes; ++i)
        length |= static_cast<std::size_t>(static_cast<unsigned char>(rest[i])) << (8 * i);
    if (m_isBroken || length > m_maxFrameBytes) {
        m_isBroken = true;
        return failure(ErrorCode::InvalidData, "the stream holds no valid frame",
                       "a frame announces " + std::to_string(length) + " bytes");
    }
    if (rest.size() < prefixBytes + length)
        return std::nullopt;
    std::string body(rest.substr(prefixBytes, length));
    m_consumed += prefixBytes + length;
    return body;
}

} // namespace dice::ipc
