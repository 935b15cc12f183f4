// What the block decoder asks of a block-diffusion model: a cache of finished tokens, and logits of the block under
// work. Torch-free, so that the decoder's rules run against any source of logits.
#pragma once

#include "core/base/ids.h"

#include <span>

namespace dice::engine {

class BlockModel
{
public:
    virtual ~BlockModel() = default;

    virtual int vocabSize() const = 0;

    // Empties the cache; `capacity` tokens will be stored or denoised at most, in blocks of `blockLength` tokens.
    virtual void reset(int blockLength, int capacity) = 0;

    // One forward over whole blocks that are finished: their keys and values stay in the cache.
    virtual void store(std::span<const TokenId> tokens) = 0;

    struct DenoiseCall
    {
        std::span<const TokenId> finished; // whole blocks not stored yet: this forward stores them on the way
        std::span<const TokenId> block; // the block under work, behind them; nothing of it stays
        std::span<const int> rows; // positions inside the block whose logits are wanted
    };

    // One forward over `finished` and `block`: a token sees all earlier blocks and the whole of its own.
    // Gives rows.size() x vocabSize() logits, valid until the next call.
    virtual std::span<const float> denoise(const DenoiseCall &call) = 0;
};

} // namespace dice::engine
