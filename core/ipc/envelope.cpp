#include "envelope.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace dice::ipc {

namespace {

constexpr std::array<std::pair<MessageType, const char *>, 6> typeNames{{
    {MessageType::Hello, "hello"},
    {MessageType::Request, "request"},
    {MessageType::Event, "event"},
    {MessageType::Reply, "reply"},
    {MessageType::Error, "error"},
    {MessageType::Cancel, "cancel"},
}};

const char *toString(MessageType type)
{
    for (const auto &[known, name] : typeNames) {
        if (known == type)
            return name;
    }
    return "error";
}

MessageType typeFromString(const std::string &name)
{
    for (const auto &[type, known] : typeNames) {
        if (name == known)
            return type;
    }
    throw std::invalid_argument("message type " + name);
}

bool carriesName(MessageType type)
{
    return type == MessageType::Request || type == MessageType::Event;
}

} // namespace

Envelope makeHello(const std::string &process, const Json &capabilities)
{
    return {MessageType::Hello,
            RequestId{},
            {},
            {{"protocol", protocolVersion}, {"process", process}, {"capabilities", capabilities}}};
}

Envelope makeRequest(RequestId id, std::string name, Json payload)
{
    return {MessageType::Request, id, std::move(name), std::move(payload)};
}

Envelope makeEvent(RequestId id, std::string name, Json payload)
{
    return {MessageType::Event, id, std::move(name), std::move(payload)};
}

Envelope makeReply(RequestId id, Json payload)
{
    return {MessageType::Reply, id, {}, std::move(payload)};
}

Envelope makeErrorReply(RequestId id, const dice::Error &error)
{
    return {MessageType::Error,
            id,
            {},
            {{"code", dice::toString(error.code)}, {"message", error.message}, {"detail", error.detail}}};
}

Envelope makeCancel(RequestId id)
{
    return {MessageType::Cancel, id, {}, Json::object()};
}

dice::Error errorOf(const Envelope &envelope)
{
    const Json &payload = envelope.payload;
    return makeError(errorCodeFromString(payload.value("code", "internal")),
                     payload.value("message", "the other process reported an error without a message"),
                     payload.value("detail", ""));
}

Status checkHello(const Envelope &envelope)
{
    if (envelope.type != MessageType::Hello)
        return failure(ErrorCode::InvalidData, "the other process did not say hello; is it part of this installation?");
    const Json version = envelope.payload.value("protocol", Json());
    if (version != protocolVersion)
        return failure(ErrorCode::InvalidData,
                       "the other process speaks protocol " + version.dump() + ", this one speaks "
                           + std::to_string(protocolVersion) + "; build both from the same sources");
    return {};
}

std::string encode(const Envelope &envelope)
{
    Json json{{"type", toString(envelope.type)}, {"id", envelope.id.value}, {"payload", envelope.payload}};
    if (carriesName(envelope.type))
        json["name"] = envelope.name;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Envelope> decode(const std::string &body)
{
    const Json json = Json::parse(body, nullptr, false);
    if (!json.is_object())
        return failure(ErrorCode::InvalidData, "a frame does not hold a JSON object");
    return decodeJson<Envelope>(json, "message", [](const Json &from) -> Result<Envelope> {
        Envelope envelope;
        envelope.type = typeFromString(from.at("type").get<std::string>());
        envelope.id = RequestId(from.at("id").get<std::uint64_t>());
        envelope.payload = from.at("payload");
        if (!envelope.payload.is_object())
            throw std::invalid_argument("payload is no object");
        if (carriesName(envelope.type))
            from.at("name").get_to(envelope.name);
        return envelope;
    });
}

} // namespace dice::ipc
