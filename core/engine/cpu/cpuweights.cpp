#include "cpumodel.h"

#include "core/engine/weightnames.h"

#include <bit>
#include <cstring>

namespace dice::engine::cpu {

namespace {

template <typename Stored, typename Widen> std::vector<float> widenAll(const formats::TensorView &view, Widen widen)
{
    std::vector<Stored> stored(view.bytes.size() / sizeof(Stored)); // the file's bytes may lie unaligned
    std::memcpy(stored.data(), view.bytes.data(), stored.size() * sizeof(Stored));
    std::vector<float> floats(stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i)
        floats[i] = widen(stored[i]);
    return floats;
}

float fromBFloat16(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// IEEE half: subnormals are normalised by the multiplication, infinities and NaN keep their meaning.
float fromHalf(std::uint16_t bits)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t rest = bits & 0x7fffu;
    if (rest >= 0x7c00u)
        return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    const float magnitude = std::bit_cast<float>(rest << 13) * std::bit_cast<float>(0x77800000u); // 2^112
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

// The first failure is kept; later reads then give nothing.
class Reader
{
public:
    explicit Reader(const formats::Weights &file)
        : m_file(file)
    {
    }

    std::vector<float> read(const WeightSpec &spec)
    {
        if (!m_status)
            return {};
        const Result<formats::TensorView> view = m_file.require(spec.name, spec.shape);
        if (!view) {
            m_status = tl::unexpected(view.error());
            return {};
        }
        switch (view->dtype) {
        case formats::DType::F32:
            return widenAll<float>(*view, [](float value) { return value; });
        case formats::DType::F64:
            return widenAll<double>(*view, [](double value) { return static_cast<float>(value); });
        case formats::DType::BF16:
            return widenAll<std::uint16_t>(*view, fromBFloat16);
        case formats::DType::F16:
            return widenAll<std::uint16_t>(*view, fromHalf);
        default:
            m_status = failure(ErrorCode::Unsupported,
                               "weights: tensor " + spec.name + " has type " + formats::toString(view->dtype)
                                   + "; float weights are needed");
            return {};
        }
    }

    // Several projections of the same input as one.
    PackedLinear readTogether(const std::vector<WeightSpec> &specs)
    {
        std::vector<float> rows;
        std::int64_t numOut = 0;
        for (const WeightSpec &spec : specs) {
            const std::vector<float> part = read(spec);
            rows.insert(rows.end(), part.begin(), part.end());
            numOut += spec.shape.at(0);
        }
        if (!m_status)
            return {};
        return PackedLinear(rows, static_cast<int>(numOut), static_cast<int>(specs.front().shape.at(1)));
    }

    const Status &status() const { return m_status; }

private:
    const formats::Weights &m_file;
    Status m_status;
};

CpuLayer readLayer(Reader &reader, const formats::ModelConfig &config, std::int64_t layer)
{
    const auto spec = [&](LayerWeight weight) { return weightSpec(config, weight, layer); };
    CpuLayer weights;
    weights.attentionNorm = reader.read(spec(LayerWeight::AttentionNorm));
    weights.queryNorm = reader.read(spec(LayerWeight::QueryNorm));
    weights.keyNorm = reader.read(spec(LayerWeight::KeyNorm));
    weights.queryKeyValue
        = reader.readTogether({spec(LayerWeight::Query), spec(LayerWeight::Key), spec(LayerWeight::Value)});
    weights.output = reader.readTogether({spec(LayerWeight::Output)});
    weights.feedForwardNorm = reader.read(spec(LayerWeight::FeedForwardNorm));
    weights.gateUp = reader.readTogether({spec(LayerWeight::Gate), spec(LayerWeight::Up)});
    weights.down = reader.readTogether({spec(LayerWeight::Down)});
    return weights;
}

} // namespace

Result<CpuWeights> loadCpuWeights(const formats::Weights &file, const formats::ModelConfig &config)
{
    Reader reader(file);
    CpuWeights weights;
    weights.embedding = reader.read(weightSpec(config, ModelWeight::Embedding));
    for (std::int64_t layer = 0; layer < config.numLayers && reader.status(); ++layer)
        weights.layers.push_back(readLayer(reader, config, layer));
    weights.finalNorm = reader.read(weightSpec(config, ModelWeight::FinalNorm));
    const ModelWeight head = config.tieWordEmbeddings ? ModelWeight::Embedding : ModelWeight::Head;
    weights.head = reader.readTogether({weightSpec(config, head)});
    if (!reader.status())
        return tl::unexpected(reader.status().error());
    return weights;
}

} // namespace dice::engine::cpu
