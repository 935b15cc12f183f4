#include "sdarmodel_torch.h"

#include <algorithm>

namespace dice::engine {

namespace {

// Tokens of one storing forward: bounds the memory of mask and scores for long prompts.
constexpr std::size_t maxStoreTokens = 512;

at::Tensor indexTensor(std::span<const int> values, const at::Device &device)
{
    at::Tensor indices = at::empty({static_cast<std::int64_t>(values.size())}, at::kInt);
    std::copy(values.begin(), values.end(), indices.mutable_data_ptr<int>());
    return indices.to(device);
}

at::Tensor tokenTensor(std::span<const TokenId> tokens, const at::Device &device)
{
    std::vector<int> values;
    values.reserve(tokens.size());
    for (const TokenId token : tokens)
        values.push_back(token.value);
    return indexTensor(values, device);
}

} // namespace

SdarModel::SdarModel(formats::ModelConfig config, ModelWeights weights, const at::TensorOptions &options)
    : m_config(std::move(config))
    , m_weights(std::move(weights))
    , m_options(options)
{
}

void SdarModel::reset(int blockLength, int capacity)
{
    const c10::InferenceMode inference;
    m_blockLength = blockLength;
    m_cache.reset(m_config, std::max(capacity, 2 * blockLength), m_options);
    m_mask.reset(blockLength, m_cache.capacity(), m_options);
    if (m_rope.size() < m_cache.capacity())
        m_rope = makeRopeTable(m_config.headDim, m_config.ropeTheta, m_cache.capacity(), m_options);
}

void SdarModel::store(std::span<const TokenId> tokens)
{
    const auto block = static_cast<std::size_t>(m_blockLength);
    const std::size_t chunk = std::max(maxStoreTokens / block, std::size_t{1}) * block;
    for (std::size_t from = 0; from < tokens.size(); from += chunk) {
        const std::size_t count = std::min(chunk, tokens.size() - from);
        hidden(tokens.subspan(from, count));
        m_cache.keep(static_cast<std::int64_t>(count));
    }
}

std::span<const float> SdarModel::denoise(const DenoiseCall &call)
{
    const c10::InferenceMode inference;
    const std::size_t numFinished = call.finished.size();
    std::vector<TokenId> tokens(call.finished.begin(), call.finished.end());
    tokens.insert(tokens.end(), call.block.begin(), call.block.end());
    const at::Tensor state_TC = hidden(tokens);
    m_cache.keep(static_cast<std::int64_t>(numFinished));
    std::vector<int> rows;
    for (const int row : call.rows)
        rows.push_back(row + static_cast<int>(numFinished));
    m_logits = logits(state_TC.index_select(0, indexTensor(rows, state_TC.device())));
    return {m_logits.const_data_ptr<float>(), static_cast<std::size_t>(m_logits.numel())};
}

at::Tensor SdarModel::hidden(std::span<const TokenId> tokens, const ActivationTap *tap)
{
    const c10::InferenceMode inference;
    const auto numNew = static_cast<std::int64_t>(tokens.size());
    const LayerContext context{m_config, m_rope, m_cache, m_mask.slice(m_cache.length(), numNew), tap};
    at::Tensor x_TC = at::embedding(m_weights.embedding, tokenTensor(tokens, m_options.device()));
    for (std::size_t layer = 0; layer < m_weights.layers.size(); ++layer)
        x_TC = runQwen3Layer(x_TC, static_cast<std::int64_t>(layer), m_weights.layers[layer], context);
    return at::rms_norm(x_TC, {m_config.hiddenSize}, m_weights.finalNorm, m_config.rmsNormEps);
}

at::Tensor SdarModel::logits(const at::Tensor &hidden_TC) const
{
    const c10::InferenceMode inference;
    return at::linear(hidden_TC, m_weights.head).to(at::kCPU, at::kFloat).contiguous();
}

} // namespace dice::engine
