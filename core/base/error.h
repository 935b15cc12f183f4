// What an expected failure carries: a code, a sentence for the user, detail for the log.
// Programmer errors are asserts, never an Error.
#pragma once

#include <string>
#include <utility>

namespace dice {

enum class ErrorCode {
    InvalidArgument, // wrong use or bad input: the user can mend it
    NotFound,
    InvalidData,  // a file or a message breaks its own format
    Unsupported,  // well formed, but not something this program does
    Io,           // the operating system refused: disk full, permission
    Cancelled,
    Timeout,
    ProcessFailed, // a helper process ended or broke its protocol
    Internal,      // our own fault
};

// The stable name of a code, as written in JSON and logs ("invalid_argument").
const char *toString(ErrorCode code);
// Unknown names give Internal: an error from a newer peer is still an error.
ErrorCode errorCodeFromString(const std::string &name);

struct Error
{
    ErrorCode code = ErrorCode::Internal;
    std::string message; // names the thing and the next step
    std::string detail;  // for the log; may be empty

    bool operator==(const Error &) const = default;
};

inline Error makeError(ErrorCode code, std::string message, std::string detail = {})
{
    return Error{code, std::move(message), std::move(detail)};
}

} // namespace dice
