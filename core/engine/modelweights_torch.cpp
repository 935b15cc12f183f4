#include "modelweights_torch.h"

#include "core/engine/weightnames.h"

#include <cstring>

namespace dice::engine {

namespace {

std::optional<at::ScalarType> scalarType(formats::DType type)
{
    switch (type) {
    case formats::DType::F16:
        return at::kHalf;
    case formats::DType::BF16:
        return at::kBFloat16;
    case formats::DType::F32:
        return at::kFloat;
    case formats::DType::F64:
        return at::kDouble;
    default:
        return {};
    }
}

// The first failure is kept; later reads then give undefined tensors that nobody uses.
class Reader
{
public:
    Reader(const formats::Weights &file, const at::TensorOptions &options)
        : m_file(file)
        , m_options(options)
    {
    }

    at::Tensor read(const WeightSpec &spec)
    {
        if (!m_status)
            return {};
        const Result<formats::TensorView> view = m_file.require(spec.name, spec.shape);
        if (!view)
            return refuse(view.error());
        const std::optional<at::ScalarType> type = scalarType(view->dtype);
        if (!type)
            return refuse(makeError(ErrorCode::Unsupported,
                                    "weights: tensor " + spec.name + " has type " + formats::toString(view->dtype)
                                        + "; float weights are needed"));
        // The file's bytes may lie unaligned: copy before they are looked at as numbers.
        at::Tensor raw = at::empty(spec.shape, at::TensorOptions().dtype(*type));
        std::memcpy(raw.data_ptr(), view->bytes.data(), view->bytes.size());
        return raw.to(m_options);
    }

    const Status &status() const { return m_status; }

private:
    at::Tensor refuse(Error error)
    {
        m_status = tl::unexpected<Error>(std::move(error));
        return {};
    }

    const formats::Weights &m_file;
    at::TensorOptions m_options;
    Status m_status;
};

LayerWeights readLayer(Reader &reader, const formats::ModelConfig &config, std::int64_t layer)
{
    const auto read = [&](LayerWeight weight) { return reader.read(weightSpec(config, weight, layer)); };
    const at::Tensor query = read(LayerWeight::Query);
    const at::Tensor key = read(LayerWeight::Key);
    const at::Tensor value = read(LayerWeight::Value);
    const at::Tensor queryNorm = read(LayerWeight::QueryNorm);
    const at::Tensor keyNorm = read(LayerWeight::KeyNorm);
    const at::Tensor gate = read(LayerWeight::Gate);
    const at::Tensor up = read(LayerWeight::Up);
    LayerWeights weights;
    weights.attentionNorm = read(LayerWeight::AttentionNorm);
    weights.output = read(LayerWeight::Output);
    weights.feedForwardNorm = read(LayerWeight::FeedForwardNorm);
    weights.down = read(LayerWeight::Down);
    if (!reader.status())
        return weights;
    weights.queryKeyValue = at::cat({query, key, value});
    weights.queryKeyNorm = at::cat(
        {queryNorm.expand({config.numHeads, config.headDim}), keyNorm.expand({config.numKvHeads, config.headDim})});
    weights.gateUp = at::cat({gate, up});
    return weights;
}

} // namespace

Result<ModelWeights> loadModelWeights(const formats::Weights &file, const formats::ModelConfig &config,
                                      const at::TensorOptions &options)
{
    Reader reader(file, options);
    ModelWeights weights;
    weights.embedding = reader.read(weightSpec(config, ModelWeight::Embedding));
    for (std::int64_t layer = 0; layer < config.numLayers && reader.status(); ++layer)
        weights.layers.push_back(readLayer(reader, config, layer));
    weights.finalNorm = reader.read(weightSpec(config, ModelWeight::FinalNorm));
    weights.head = config.tieWordEmbeddings ? weights.embedding : reader.read(weightSpec(config, ModelWeight::Head));
    if (!reader.status())
        return tl::unexpected<Error>(reader.status().error());
    return weights;
}

} // namespace dice::engine
