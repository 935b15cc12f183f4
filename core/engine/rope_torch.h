// Rotary position embedding, half-split (rotate_half): angles in float32 as position * theta^(-2i/D).
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace dice::engine {

// Suffixes: P positions, T tokens, H heads, D head size.
struct RopeTable
{
    at::Tensor cos_PD, sin_PD; // float32 angles, stored in the type of the model

    std::int64_t size() const { return cos_PD.defined() ? cos_PD.size(0) : 0; }
};

RopeTable makeRopeTable(std::int64_t headSize, double theta, std::int64_t numPositions,
                        const at::TensorOptions &options);

// Rotates by the positions first .. first+T-1.
at::Tensor rotate(const at::Tensor &x_THD, const RopeTable &table, std::int64_t first);

} // namespace dice::engine
