// AdamW (Loshchilov and Hutter 2019) over one flat vector of parameters; equal to torch::optim::AdamW on the same
// numbers, without its loop over tensors. Norm weights take no decay.
#pragma once

#include "core/train/flatparameters_torch.h"

#include <torch/torch.h>

#include <cstdint>

namespace dice::train {

struct AdamWOptions
{
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double weightDecay = 0.1;
    double maxGradientNorm = 1.0; // 0 = no clipping
};

class FlatAdamW
{
public:
    FlatAdamW(FlatParameters &parameters, const AdamWOptions &options);

    // One update from parameters.gradient(); leaves the gradient as it is. Returns its norm before clipping, a scalar
    // on the device (reading it waits for the device).
    at::Tensor step(double learningRate);

    // For checkpoints: float32 [P] each, and the number of updates so far.
    const at::Tensor &firstMoment() const { return m_firstMoment; }
    const at::Tensor &secondMoment() const { return m_secondMoment; }
    std::int64_t numSteps() const { return m_numSteps; }
    void restore(const at::Tensor &firstMoment, const at::Tensor &secondMoment, std::int64_t numSteps);

private:
    FlatParameters &m_parameters;
    AdamWOptions m_options;
    at::Tensor m_firstMoment;
    at::Tensor m_secondMoment;
    at::Tensor m_decays; // float32 [P]: 1 where weight decay applies
    std::int64_t m_numSteps = 0;
};

} // namespace dice::train
