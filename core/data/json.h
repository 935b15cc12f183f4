// Declares the JSON codec of one data struct: toJson writes every field, fromJson rejects a document that
// lacks one or has another type. Unknown fields are ignored, so that a newer peer can add some.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <exception>
#include <string>

namespace dice {

using Json = nlohmann::json;

// The list in a field. nlohmann would also walk over an object or a number; this throws, for decodeJson to catch.
inline const Json::array_t &arrayAt(const Json &json, const char *field)
{
    return json.at(field).get_ref<const Json::array_t &>();
}

// Runs `decode(json)` and turns what nlohmann throws into an Error that names the document.
template <typename T, typename Decode>
Result<T> decodeJson(const Json &json, const char *documentName, Decode decode)
{
    try {
        return decode(json);
    } catch (const std::exception &fault) {
        return failure(ErrorCode::InvalidData, std::string(documentName) + ": a field is missing or has the wrong type",
                       fault.what());
    }
}

} // namespace dice
