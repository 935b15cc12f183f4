// Block diffusion decoding: prefill, then block by block the steps of choosing, unmasking and storing
// (DICE jetengine scheduler.py, SDAR generate.py). Knows neither texts nor tensors.
#pragma once

#include "core/engine/blockmodel.h"
#include "core/engine/generation.h"
#include "core/engine/remasking.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dice::engine {

enum class ForwardPlan {
    Separate, // a forward of its own stores a finished block, as the published code does it
    Overlapped, // the first step of the next block stores it on the way: the same numbers, one forward less a block
};

struct BlockDecoding
{
    int blockLength = 4;
    int numSteps = 4; // denoising steps a block at most
    RemaskingRule rule;
    TokenChooser chooser;
    std::uint64_t seed = 0;
    int maxNewTokens = 0;
    std::vector<TokenId> stopTokens; // the first one in the answer ends it; those of the prompt do not count
    ForwardPlan plan = ForwardPlan::Overlapped;
};

class BlockDecoder
{
public:
    BlockDecoder(BlockModel &model, BlockDecoding decoding, BlockStepCallback callback);

    // Continues `prompt`. Blocks are counted from its start: the first one shares the prompt's last tokens when the
    // prompt is not made of whole blocks.
    Generation generate(std::span<const TokenId> prompt);

    // Fills the mask tokens of `text`; everything else stays. Blocks before the first mask are prefilled, the later
    // ones are denoised in order and do not see what follows them.
    Generation infill(std::span<const TokenId> text);

private:
    struct Block
    {
        BlockIndex index;
        int start = 0;
        std::vector<TokenId> tokens;
        std::vector<BlockCell> cells;
        std::vector<int> stepOf; // 1-based over all blocks, 0 = not unmasked by a step

        std::vector<int> maskedPositions() const;
    };
    enum class Progress { Finished, Stopped };

    Block makeBlock(int start, std::span<const TokenId> given) const;
    void openMasks(Block &block) const;
    void prefill(std::span<const TokenId> tokens);
    Progress denoise(Block &block);
    BlockStep runStep(Block &block, int step, const std::vector<int> &masked);
    void chooseTokens(Block &block, const std::vector<int> &masked);
    void finish(const Block &block);
    bool append(const Block &block, int from);
    void appendStopped(const Block &block, int from);
    void noteMasksLeft();

    BlockModel &m_model;
    BlockDecoding m_decoding;
    BlockStepCallback m_callback;
    RandomGenerator m_random;
    Generation m_result;
    std::vector<TokenId> m_unstored; // finished blocks whose keys and values the next forward stores
};

} // namespace dice::engine
