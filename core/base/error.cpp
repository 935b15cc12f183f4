#include "error.h"

#include <array>
#include <utility>

namespace dice {

namespace {
constexpr std::array<std::pair<ErrorCode, const char *>, 9> codeNames{{
    {ErrorCode::InvalidArgument, "invalid_argument"},
    {ErrorCode::NotFound, "not_found"},
    {ErrorCode::InvalidData, "invalid_data"},
    {ErrorCode::Unsupported, "unsupported"},
    {ErrorCode::Io, "io"},
    {ErrorCode::Cancelled, "cancelled"},
    {ErrorCode::Timeout, "timeout"},
    {ErrorCode::ProcessFailed, "process_failed"},
    {ErrorCode::Internal, "internal"},
}};
} // namespace

const char *toString(ErrorCode code)
{
    for (const auto &[known, name] : codeNames) {
        if (known == code)
            return name;
    }
    return "internal";
}

ErrorCode errorCodeFromString(const std::string &name)
{
    for (const auto &[code, known] : codeNames) {
        if (name == known)
            return code;
    }
    return ErrorCode::Internal;
}

} // namespace dice
