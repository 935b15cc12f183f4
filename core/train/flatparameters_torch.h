// The weights of a model in training as one flat buffer of 32-bit floats (the master), one flat buffer in the type
// that computes, and one flat gradient: the optimizer and the clipping see three vectors instead of a hundred
// tensors. The tensors that the model multiplies with are leaves whose storage and gradient lie in those buffers.
// Order in the buffers: weightnames.h; q, k, v of a layer and gate, up lie side by side, so each group is one leaf.
#pragma once

#include "core/base/result.h"
#include "core/formats/hfconfig.h"
#include "core/formats/safetensors.h"

#include <torch/torch.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dice::train {

// A tensor of the checkpoint: where it lies in the flat buffers.
struct ParameterSlice
{
    std::string name;
    std::vector<std::int64_t> shape;
    std::int64_t offset = 0; // elements
    std::int64_t count = 0;
};

struct TrainableLayer
{
    at::Tensor attentionNorm; // [D]
    at::Tensor queryKeyValue; // [(N + 2 K) H, D]
    at::Tensor queryNorm; // [H]
    at::Tensor keyNorm; // [H]
    at::Tensor output; // [D, N H]
    at::Tensor feedForwardNorm;
    at::Tensor gateUp; // [2 F, D]
    at::Tensor down; // [D, F]
};

struct TrainableWeights
{
    at::Tensor embedding; // [V, D]
    std::vector<TrainableLayer> layers;
    at::Tensor finalNorm;
    at::Tensor head; // [V, D]; the embedding itself when tied
};

class FlatParameters
{
public:
    // `computeType` float32 or bfloat16; with float32 the master itself computes.
    FlatParameters(const formats::ModelConfig &config, at::Device device, at::ScalarType computeType);

    const std::vector<ParameterSlice> &slices() const { return m_slices; }
    const TrainableWeights &weights() const { return m_weights; }
    const at::Tensor &master() const { return m_master; } // [P] float32
    const at::Tensor &gradient() const { return m_gradient; } // [P] compute type
    std::int64_t count() const { return m_master.numel(); }

    // Normal(0, standardDeviation) for matrices, the two that end a residual branch divided by sqrt(2 layers);
    // ones for norms.
    void initialise(std::uint64_t seed, double standardDeviation = 0.02);
    // InvalidData names the tensor that is absent or has another shape.
    Status load(const formats::Weights &weights);

    // To be called after the master has changed.
    void refreshCompute();
    void zeroGradient();

private:
    at::Tensor makeLeaf(std::size_t firstSlice, std::size_t numSlices, std::vector<std::int64_t> shape);
    void makeLeaves(const formats::ModelConfig &config);

    std::vector<ParameterSlice> m_slices;
    std::int64_t m_numLayers = 0;
    at::Tensor m_master;
    at::Tensor m_compute;
    at::Tensor m_gradient;
    TrainableWeights m_weights;
};

} // namespace dice::train
