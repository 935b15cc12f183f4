// Where exceptions of LibTorch and the standard library end: they become an Error that names the work. Torch-free.
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>
#include <type_traits>

namespace dice::engine {

namespace detail {
// Runs `work`; on any exception gives the Error for it, Internal unless memory ran out.
Status runGuarded(const std::string &what, const std::function<void()> &work);
} // namespace detail

// `what` is the work in words, for the sentence: "generating with model dice-nano".
template <typename Work> auto guarded(const std::string &what, Work work) -> std::invoke_result_t<Work>
{
    using Return = std::invoke_result_t<Work>;
    Return outcome = tl::unexpected<Error>(Error{});
    const Status status = detail::runGuarded(what, [&] { outcome = work(); });
    if (!status)
        return tl::unexpected<Error>(status.error());
    return outcome;
}

} // namespace dice::engine
