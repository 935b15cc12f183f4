// Grouped-query attention over the cache, and the block-causal mask.
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace dice::engine {

// Suffixes: T new tokens, S tokens seen, H query heads, K kv heads, D head size.

// Query head h uses kv head h / (H / K). `mask_TS` is added to the scores; undefined: every token sees all S.
// Gives [T, H*D].
at::Tensor attend(const at::Tensor &q_THD, const at::Tensor &k_KSD, const at::Tensor &v_KSD, const at::Tensor &mask_TS);

// The mask for T new tokens behind `numCached` ones, all in whole blocks but perhaps the last: 0 where the key's block
// is not later than the query's, else -inf. Undefined when nothing is hidden (all new tokens in one block).
// Cheap in the decoding loop: the mask of a number of new tokens is made once and then sliced.
class BlockCausalMask
{
public:
    void reset(std::int64_t blockLength, std::int64_t capacity, const at::TensorOptions &options);
    at::Tensor slice(std::int64_t numCached, std::int64_t numNew);

private:
    at::Tensor make(std::int64_t numCached, std::int64_t numNew) const;

    std::int64_t m_blockLength = 1;
    std::int64_t m_capacity = 0;
    at::TensorOptions m_options;
    at::Tensor m_twoBlocks; // [2B, capacity]: pattern in the last 2B columns
};

} // namespace dice::engine
