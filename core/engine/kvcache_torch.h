// Keys and values of the tokens seen so far, in buffers allocated once a generation.
#pragma once

#include "core/formats/hfconfig.h"

#include <torch/torch.h>

#include <cstdint>
#include <vector>

namespace dice::engine {

// Suffixes: K kv heads, S tokens in the cache, N new tokens, D head size.
class KvCache
{
public:
    // Room for `capacity` tokens; keeps the old buffers when they are large enough. The cache is empty afterwards.
    void reset(const formats::ModelConfig &config, std::int64_t capacity, const at::TensorOptions &options)
    {
        m_length = 0;
        if (capacity <= m_capacity)
            return;
        m_capacity = capacity;
        m_layers.clear();
        for (std::int64_t layer = 0; layer < config.numLayers; ++layer) {
            m_layers.push_back({at::empty({config.numKvHeads, capacity, config.headDim}, options),
                                at::empty({config.numKvHeads, capacity, config.headDim}, options)});
        }
    }

    std::int64_t length() const { return m_length; }
    std::int64_t capacity() const { return m_capacity; }

    struct Entry
    {
        at::Tensor keys_KSD, values_KSD;
    };

    // Writes the new tokens behind the kept ones and gives views of both together. Nothing is kept until keep().
    Entry write(std::size_t layer, const at::Tensor &keys_KND, const at::Tensor &values_KND)
    {
        const std::int64_t count = keys_KND.size(1);
        Entry &buffers = m_layers.at(layer);
        buffers.keys_KSD.narrow(1, m_length, count).copy_(keys_KND);
        buffers.values_KSD.narrow(1, m_length, count).copy_(values_KND);
        return {buffers.keys_KSD.narrow(1, 0, m_length + count), buffers.values_KSD.narrow(1, 0, m_length + count)};
    }

    // The first `count` tokens of the last forward now belong to the cache.
    void keep(std::int64_t count) { m_length += count; }

private:
    std::int64_t m_length = 0;
    std::int64_t m_capacity = 0;
    std::vector<Entry> m_layers;
};

} // namespace dice::engine
