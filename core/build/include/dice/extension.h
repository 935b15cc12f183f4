// The whole shim: stands in for torch/extension.h.
#pragma once

#include "dice/device.h"

#include "dice/factories.h"

#include "dice/dispatch.h"
#include "dice/atencuda.h"
#include "dice/binding.h"

#include <limits>

namespace c10 {
template <class T> inline T divup(T a, T b) { return (a + b - 1) / b; }
template <class... T> using tuple = std::tuple<T...>;
} // namespace c10

namespace at {
using namespace c10;
using c10::BFloat16;
using c10::Half;
using c10::Layout;
template <class T> inline T ceil_div(T a, T b) { return (a + b - 1) / b; }
struct NoGradGuard {};
struct AutoDispatchBelowAutograd {};
} // namespace at

namespace torch {
using namespace at;
using namespace c10;
using at::Tensor;
using c10::Device;
using c10::ScalarType;
using c10::TensorOptions;
using Dtype = c10::ScalarType;
namespace cuda {
inline bool is_available() { return true; }
inline size_t device_count() { return 1; }
inline void synchronize() { c10::cuda::device_synchronize(); }
} // namespace cuda
namespace indexing {}
template <class T> inline T &&wrap_pybind_function(T &&function) { return std::forward<T>(function); }
namespace nn::functional {
using namespace at;
}
} // namespace torch

using c10::nullopt;
#undef NULL
#define NULL nullptr
