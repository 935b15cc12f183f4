#include "flatparameters_torch.h"

#include "core/engine/weightnames.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace dice::train {

namespace {

at::ScalarType scalarTypeOf(formats::DType type)
{
    switch (type) {
    case formats::DType::BF16:
        return at::kBFloat16;
    case formats::DType::F16:
        return at::kHalf;
    case formats::DType::F32:
        return at::kFloat;
    default:
        return at::ScalarType::Undefined;
    }
}

bool endsResidualBranch(std::string_view name)
{
    return name.ends_with("o_proj.weight") || name.ends_with("down_proj.weight");
}

std::int64_t product(const std::vector<std::int64_t> &shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return count;
}

} // namespace

FlatParameters::FlatParameters(const formats::ModelConfig &config, at::Device device, at::ScalarType computeType)
    : m_numLayers(config.numLayers)
{
    std::int64_t offset = 0;
    for (engine::WeightSpec &spec : engine::allWeightSpecs(config)) {
        const std::int64_t count = product(spec.shape);
        m_slices.push_back({std::move(spec.name), std::move(spec.shape), offset, count});
        offset += count;
    }
    const at::TensorOptions options = at::TensorOptions().device(device);
    m_master = at::zeros({offset}, options.dtype(at::kFloat));
    m_compute = computeType == at::kFloat ? m_master : at::zeros({offset}, options.dtype(computeType));
    m_gradient = at::zeros({offset}, options.dtype(computeType));
    makeLeaves(config);
}

at::Tensor FlatParameters::makeLeaf(std::size_t firstSlice, std::size_t numSlices, std::vector<std::int64_t> shape)
{
    const std::int64_t offset = m_slices[firstSlice].offset;
    const ParameterSlice &last = m_slices[firstSlice + numSlices - 1];
    const std::int64_t count = last.offset + last.count - offset;
    at::Tensor leaf = m_compute.detach().narrow(0, offset, count).view(shape);
    leaf.set_requires_grad(true);
    // With a gradient already there, backward adds into it in place instead of making a tensor of its own.
    leaf.mutable_grad() = m_gradient.narrow(0, offset, count).view(shape);
    return leaf;
}

void FlatParameters::makeLeaves(const formats::ModelConfig &config)
{
    const auto indexOf = [this](const engine::WeightSpec &spec) {
        const auto found = std::find_if(m_slices.begin(), m_slices.end(),
                                        [&](const ParameterSlice &slice) { return slice.name == spec.name; });
        return static_cast<std::size_t>(found - m_slices.begin());
    };
    const auto single = [&](const engine::WeightSpec &spec) { return makeLeaf(indexOf(spec), 1, spec.shape); };

    m_weights.embedding = single(engine::weightSpec(config, engine::ModelWeight::Embedding));
    for (std::int64_t layer = 0; layer < config.numLayers; ++layer) {
        const auto spec = [&](engine::LayerWeight weight) { return engine::weightSpec(config, weight, layer); };
        const std::int64_t numHeads = config.numHeads + 2 * config.numKvHeads;
        TrainableLayer leaves;
        leaves.attentionNorm = single(spec(engine::LayerWeight::AttentionNorm));
        leaves.queryKeyValue
            = makeLeaf(indexOf(spec(engine::LayerWeight::Query)), 3, {numHeads * config.headDim, config.hiddenSize});
        leaves.queryNorm = single(spec(engine::LayerWeight::QueryNorm));
        leaves.keyNorm = single(spec(engine::LayerWeight::KeyNorm));
        leaves.output = single(spec(engine::LayerWeight::Output));
        leaves.feedForwardNorm = single(spec(engine::LayerWeight::FeedForwardNorm));
        leaves.gateUp
            = makeLeaf(indexOf(spec(engine::LayerWeight::Gate)), 2, {2 * config.intermediateSize, config.hiddenSize});
        leaves.down = single(spec(engine::LayerWeight::Down));
        m_weights.layers.push_back(std::move(leaves));
    }
    m_weights.finalNorm = single(engine::weightSpec(config, engine::ModelWeight::FinalNorm));
    m_weights.head = config.tieWordEmbeddings ? m_weights.embedding
                                              : single(engine::weightSpec(config, engine::ModelWeight::Head));
}

void FlatParameters::initialise(std::uint64_t seed, double standardDeviation)
{
    const at::NoGradGuard noGrad;
    // Drawn on the CPU, so that every device starts from the same weights.
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    const double branchScale = 1.0 / std::sqrt(2.0 * static_cast<double>(m_numLayers));
    for (const ParameterSlice &slice : m_slices) {
        const at::Tensor target = m_master.narrow(0, slice.offset, slice.count);
        if (slice.shape.size() == 1) {
            target.fill_(1.0);
            continue;
        }
        const double deviation = endsResidualBranch(slice.name) ? standardDeviation * branchScale : standardDeviation;
        target.copy_(at::randn({slice.count}, generator, at::kFloat) * deviation);
    }
    refreshCompute();
}

Status FlatParameters::load(const formats::Weights &weights)
{
    const at::NoGradGuard noGrad;
    for (const ParameterSlice &slice : m_slices) {
        const Result<formats::TensorView> view = weights.require(slice.name, slice.shape);
        if (!view)
            return tl::unexpected(view.error());
        const at::ScalarType type = scalarTypeOf(view->dtype);
        if (type == at::ScalarType::Undefined)
            return failure(ErrorCode::Unsupported,
                           "tensor " + slice.name + " has type " + formats::toString(view->dtype)
                               + "; training starts from F32, BF16 or F16 weights");
        // The bytes may lie unaligned: copy them before they are read as numbers.
        at::Tensor bytes = at::empty({static_cast<std::int64_t>(view->bytes.size())}, at::kByte);
        std::copy(view->bytes.begin(), view->bytes.end(), static_cast<std::byte *>(bytes.data_ptr()));
        m_master.narrow(0, slice.offset, slice.count).copy_(bytes.view(type));
    }
    refreshCompute();
    return {};
}

void FlatParameters::refreshCompute()
{
    const at::NoGradGuard noGrad;
    if (!m_compute.is_same(m_master))
        m_compute.copy_(m_master);
}

void FlatParameters::zeroGradient()
{
    m_gradient.zero_();
}

} // namespace dice::train
