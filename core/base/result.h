// The return type of everything that can fail for a reason the user can act on.
//   Result<Config> config = readConfig(path);
//   if (!config) return tl::unexpected(config.error());
#pragma once

#include "error.h"

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace dice {

template <typename T>
using Result = tl::expected<T, Error>;

using Status = tl::expected<void, Error>;

inline tl::unexpected<Error> failure(ErrorCode code, std::string message, std::string detail = {})
{
    return tl::unexpected<Error>(makeError(code, std::move(message), std::move(detail)));
}

} // namespace dice
