#include "rope_torch.h"

namespace dice::engine {

RopeTable makeRopeTable(std::int64_t headSize, double theta, std::int64_t numPositions,
                        const at::TensorOptions &options)
{
    const auto floats = at::TensorOptions().dtype(at::kFloat);
    const at::Tensor exponents = at::arange(0, headSize, 2, floats) / static_cast<double>(headSize);
    const at::Tensor frequencies = at::pow(theta, exponents).reciprocal();
    const at::Tensor angles = at::outer(at::arange(numPositions, floats), frequencies);
    const at::Tensor both_PD = at::cat({angles, angles}, 1);
    return {both_PD.cos().to(options), both_PD.sin().to(options)};
}

at::Tensor rotate(const at::Tensor &x_THD, const RopeTable &table, std::int64_t first)
{
    const at::Tensor cos_TD = table.cos_PD.narrow(0, first, x_THD.size(0)).unsqueeze(1);
    const at::Tensor sin_TD = table.sin_PD.narrow(0, first, x_THD.size(0)).unsqueeze(1);
    const std::int64_t half = x_THD.size(2) / 2;
    const at::Tensor turned_THD = at::cat({x_THD.narrow(2, half, half).neg(), x_THD.narrow(2, 0, half)}, 2);
    return at::addcmul(x_THD * cos_TD, turned_THD, sin_TD);
}

} // namespace dice::engine
