#include "torchborder.h"

#include <torch/torch.h>

#include <new>

namespace dice::engine::detail {

Status runGuarded(const std::string &what, const std::function<void()> &work)
{
    try {
        work();
        return {};
    } catch (const c10::OutOfMemoryError &fault) {
        return failure(ErrorCode::Io, what + ": the device's memory is full; close other programs or use the CPU",
                       fault.what_without_backtrace());
    } catch (const std::bad_alloc &fault) {
        return failure(ErrorCode::Io, what + ": the machine's memory is full; close other programs", fault.what());
    } catch (const c10::Error &fault) {
        return failure(ErrorCode::Internal, what + " failed inside LibTorch", fault.what_without_backtrace());
    } catch (const std::exception &fault) {
        return failure(ErrorCode::Internal, what + " failed", fault.what());
    }
}

} // namespace dice::engine::detail
