#include "flatadamw_torch.h"

#include <cmath>

namespace dice::train {

FlatAdamW::FlatAdamW(FlatParameters &parameters, const AdamWOptions &options)
    : m_parameters(parameters)
    , m_options(options)
    , m_firstMoment(at::zeros_like(parameters.master()))
    , m_secondMoment(at::zeros_like(parameters.master()))
    , m_decays(at::ones_like(parameters.master()))
{
    for (const ParameterSlice &slice : parameters.slices()) {
        if (slice.shape.size() == 1)
            m_decays.narrow(0, slice.offset, slice.count).zero_();
    }
}

at::Tensor FlatAdamW::step(double learningRate)
{
    const at::NoGradGuard noGrad;
    ++m_numSteps;
    at::Tensor gradient = m_parameters.gradient().to(at::kFloat);
    const at::Tensor norm = gradient.norm();
    if (m_options.maxGradientNorm > 0)
        gradient = gradient * (m_options.maxGradientNorm / (norm + 1e-6)).clamp_max(1.0);

    at::Tensor master = m_parameters.master();
    master.sub_(master * m_decays, learningRate * m_options.weightDecay);
    m_firstMoment.lerp_(gradient, 1.0 - m_options.beta1);
    m_secondMoment.mul_(m_options.beta2).addcmul_(gradient, gradient, 1.0 - m_options.beta2);
    const double correction1 = 1.0 - std::pow(m_options.beta1, static_cast<double>(m_numSteps));
    const double correction2 = 1.0 - std::pow(m_options.beta2, static_cast<double>(m_numSteps));
    const at::Tensor denominator = (m_secondMoment.sqrt() / std::sqrt(correction2)).add_(m_options.epsilon);
    master.addcdiv_(m_firstMoment, denominator, -learningRate / correction1);
    m_parameters.refreshCompute();
    return norm;
}

void FlatAdamW::restore(const at::Tensor &firstMoment, const at::Tensor &secondMoment, std::int64_t numSteps)
{
    m_firstMoment.copy_(firstMoment);
    m_secondMoment.copy_(secondMoment);
    m_numSteps = numSteps;
}

} // namespace dice::train
