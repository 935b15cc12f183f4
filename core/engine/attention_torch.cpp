#include "attention_torch.h"

#include <limits>

namespace dice::engine {

at::Tensor attend(const at::Tensor &q_THD, const at::Tensor &k_KSD, const at::Tensor &v_KSD, const at::Tensor &mask_TS)
{
    const std::int64_t numTokens = q_THD.size(0);
    const std::int64_t headSize = q_THD.size(2);
    const std::int64_t numKvHeads = k_KSD.size(0);
    const std::int64_t numGroups = q_THD.size(1) / numKvHeads;
    // The query heads of one kv head become further rows of it: no key or value is repeated.
    const at::Tensor rows = q_THD.view({numTokens, numKvHeads, numGroups, headSize})
                                .permute({1, 2, 0, 3})
                                .reshape({1, numKvHeads, numGroups * numTokens, headSize});
    std::optional<at::Tensor> mask;
    if (mask_TS.defined())
        mask = numGroups == 1 ? mask_TS : mask_TS.repeat({numGroups, 1});
    const at::Tensor out = at::scaled_dot_product_attention(rows, k_KSD.unsqueeze(0), v_KSD.unsqueeze(0), mask);
    return out.view({numKvHeads, numGroups, numTokens, headSize})
        .permute({2, 0, 1, 3})
        .reshape({numTokens, numKvHeads * numGroups * headSize});
}

void BlockCausalMask::reset(std::int64_t blockLength, std::int64_t capacity, const at::TensorOptions &options)
{
    m_blockLength = blockLength;
    m_capacity = capacity;
    m_options = options;
    m_twoBlocks = make(capacity - 2 * blockLength, 2 * blockLength);
}

at::Tensor BlockCausalMask::slice(std::int64_t numCached, std::int64_t numNew)
{
    if (numNew <= m_blockLength)
        return {};
    if (numNew == 2 * m_blockLength)
        return m_twoBlocks.narrow(1, m_capacity - numNew - numCached, numCached + numNew);
    return make(numCached, numNew);
}

at::Tensor BlockCausalMask::make(std::int64_t numCached, std::int64_t numNew) const
{
    const auto integers = m_options.dtype(at::kLong);
    // numCached is a multiple of the block length, so blocks may be counted from the first new token.
    const at::Tensor block_N = at::arange(numNew, integers).floor_divide(m_blockLength);
    const at::Tensor isHidden_NN = block_N.unsqueeze(0) > block_N.unsqueeze(1);
    at::Tensor mask = at::zeros({numNew, numCached + numNew}, m_options);
    mask.narrow(1, numCached, numNew).masked_fill_(isHidden_NN, -std::numeric_limits<float>::infinity());
    return mask;
}

} // namespace dice::engine
