// The messages between processes: one JSON object a frame. Bytes in, bytes out; this library does no I/O.
//   hello    first frame each way: {"type","protocol","process","version","capabilities"}
//   request  {"type","id","name","payload"}            id is the sender's, counted upwards from 1
//   event    {"type","id","name","payload"}            belongs to the request with that id
//   reply    {"type","id","payload"}                   ends it
//   error    {"type","id","code","message","detail"}   ends it
//   cancel   {"type","id"}                             asks to end it early; a reply or an error still follows
#pragma once

#include "core/base/ids.h"
#include "core/data/json.h"

#include <string>

namespace dice::ipc {

inline constexpr int protocolVersion = 1;

enum class MessageType { Hello, Request, Event, Reply, Error, Cancel };

struct Envelope
{
    MessageType type = MessageType::Request;
    RequestId id;     // 0 in Hello
    std::string name; // of a Request or an Event
    Json payload = Json::object();

    bool operator==(const Envelope &) const = default;
};

Envelope makeHello(const std::string &process, const Json &capabilities = Json::object());
Envelope makeRequest(RequestId id, std::string name, Json payload);
Envelope makeEvent(RequestId id, std::string name, Json payload);
Envelope makeReply(RequestId id, Json payload);
Envelope makeErrorReply(RequestId id, const dice::Error &error);
Envelope makeCancel(RequestId id);

// The Error that an Error envelope carries.
dice::Error errorOf(const Envelope &envelope);

// InvalidData unless the hello speaks this protocol version.
Status checkHello(const Envelope &envelope);

// Text that is no valid UTF-8 is written with U+FFFD: it may come from a compiler or a candidate.
std::string encode(const Envelope &envelope);
Result<Envelope> decode(const std::string &body);

} // namespace dice::ipc
