#include "blockdecoder.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace dice::engine {

namespace {

BlockCell givenCell(TokenId token)
{
    BlockCell cell;
    cell.state = CellState::Kept;
    cell.choice.token = token;
    cell.choice.confidence = 1.0f;
    return cell;
}

std::vector<MaskedPosition> candidates(const std::vector<BlockCell> &cells, const std::vector<int> &masked)
{
    std::vector<MaskedPosition> result;
    result.reserve(masked.size());
    for (const int position : masked) {
        const TokenChoice &choice = cells[static_cast<std::size_t>(position)].choice;
        result.push_back({position, choice.confidence, choice.entropy});
    }
    return result;
}

} // namespace

std::vector<int> BlockDecoder::Block::maskedPositions() const
{
    std::vector<int> positions;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].state == CellState::Masked)
            positions.push_back(static_cast<int>(i));
    }
    return positions;
}

BlockDecoder::BlockDecoder(BlockModel &model, BlockDecoding decoding, BlockStepCallback callback)
    : m_model(model)
    , m_decoding(std::move(decoding))
    , m_callback(std::move(callback))
    , m_random(m_decoding.seed)
{
    assert(m_decoding.blockLength > 0 && m_decoding.numSteps > 0);
}

Generation BlockDecoder::generate(std::span<const TokenId> prompt)
{
    const int length = m_decoding.blockLength;
    const int numPrompt = static_cast<int>(prompt.size());
    const int numPrefilled = numPrompt / length * length;
    m_result = {};
    m_model.reset(length, numPrompt + m_decoding.maxNewTokens + 2 * length);
    prefill(prompt.first(static_cast<std::size_t>(numPrefilled)));
    std::span<const TokenId> given = prompt.subspan(static_cast<std::size_t>(numPrefilled));
    for (int start = numPrefilled; m_decoding.maxNewTokens > 0; start += length) {
        Block block = makeBlock(start, given);
        block.index = BlockIndex((start - numPrefilled) / length);
        const int from = static_cast<int>(std::exchange(given, {}).size());
        if (denoise(block) == Progress::Stopped) {
            appendStopped(block, from);
            break;
        }
        finish(block);
        if (append(block, from))
            break;
    }
    noteMasksLeft();
    return std::move(m_result);
}

Generation BlockDecoder::infill(std::span<const TokenId> text)
{
    const auto length = static_cast<std::size_t>(m_decoding.blockLength);
    const auto firstMask = std::find(text.begin(), text.end(), m_decoding.chooser.maskToken);
    const auto numPrefilled = static_cast<std::size_t>(firstMask - text.begin()) / length * length;
    m_result = {};
    m_model.reset(m_decoding.blockLength, static_cast<int>(text.size() + 2 * length));
    prefill(text.first(numPrefilled));
    m_result.tokens.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(numPrefilled));
    m_result.stepMap.assign(numPrefilled, 0);
    m_result.stopReason = StopReason::LengthLimit;
    m_decoding.maxNewTokens = static_cast<int>(text.size()); // the text's length is the limit, no token ends it
    m_decoding.stopTokens.clear();
    for (std::size_t start = numPrefilled; start < text.size(); start += length) {
        Block block = makeBlock(static_cast<int>(start), text.subspan(start, std::min(length, text.size() - start)));
        block.index = BlockIndex(static_cast<int>((start - numPrefilled) / length));
        openMasks(block);
        if (denoise(block) == Progress::Stopped) {
            appendStopped(block, 0);
            break;
        }
        finish(block);
        append(block, 0);
    }
    noteMasksLeft();
    return std::move(m_result);
}

// `given` tokens first, masks up to the block's end. A prompt may hold the mask token as text: it stays as given.
BlockDecoder::Block BlockDecoder::makeBlock(int start, std::span<const TokenId> given) const
{
    const auto length = static_cast<std::size_t>(m_decoding.blockLength);
    Block block;
    block.start = start;
    block.tokens.assign(given.begin(), given.end());
    block.tokens.resize(length, m_decoding.chooser.maskToken);
    block.stepOf.resize(length, 0);
    for (const TokenId token : given)
        block.cells.push_back(givenCell(token));
    block.cells.resize(length);
    return block;
}

void BlockDecoder::openMasks(Block &block) const
{
    for (std::size_t i = 0; i < block.tokens.size(); ++i) {
        if (block.tokens[i] == m_decoding.chooser.maskToken)
            block.cells[i] = BlockCell{};
    }
}

void BlockDecoder::prefill(std::span<const TokenId> tokens)
{
    if (tokens.empty())
        return;
    m_model.store(tokens);
    ++m_result.numForwards;
}

BlockDecoder::Progress BlockDecoder::denoise(Block &block)
{
    for (int step = 0; step < m_decoding.numSteps; ++step) {
        const std::vector<int> masked = block.maskedPositions();
        if (masked.empty())
            break;
        const BlockStep report = runStep(block, step, masked);
        if (m_callback && m_callback(report) == StepAction::Stop)
            return Progress::Stopped;
    }
    return Progress::Finished;
}

BlockStep BlockDecoder::runStep(Block &block, int step, const std::vector<int> &masked)
{
    BlockStep report{block.index, step, block.start, block.tokens, {}};
    chooseTokens(block, masked);
    ++m_result.numSteps;
    for (BlockCell &cell : block.cells) {
        cell.wasMasked = cell.state == CellState::Masked;
        if (cell.state == CellState::Committed)
            cell.state = CellState::Kept;
    }
    const int count = tokensOfStep(m_decoding.blockLength, m_decoding.numSteps, step);
    for (const int position : choosePositions(m_decoding.rule, candidates(block.cells, masked), count)) {
        const auto at = static_cast<std::size_t>(position);
        block.cells[at].state = CellState::Committed;
        block.tokens[at] = block.cells[at].choice.token;
        block.stepOf[at] = m_result.numSteps;
    }
    report.cells = block.cells;
    return report;
}

void BlockDecoder::chooseTokens(Block &block, const std::vector<int> &masked)
{
    const std::span<const float> logits = m_model.denoise({m_unstored, block.tokens, masked});
    m_unstored.clear();
    ++m_result.numForwards;
    const auto vocabSize = static_cast<std::size_t>(m_model.vocabSize());
    assert(logits.size() == masked.size() * vocabSize);
    for (std::size_t row = 0; row < masked.size(); ++row) {
        BlockCell &cell = block.cells[static_cast<std::size_t>(masked[row])];
        cell.choice = m_decoding.chooser.choose(logits.subspan(row * vocabSize, vocabSize), m_random);
    }
}

void BlockDecoder::finish(const Block &block)
{
    if (m_decoding.plan == ForwardPlan::Overlapped) {
        m_unstored.insert(m_unstored.end(), block.tokens.begin(), block.tokens.end());
        return;
    }
    m_model.store(block.tokens);
    ++m_result.numForwards;
}

// Appends the block's tokens from `from` on; true when the answer ends in it.
bool BlockDecoder::append(const Block &block, int from)
{
    for (auto i = static_cast<std::size_t>(from); i < block.tokens.size(); ++i) {
        if (static_cast<int>(m_result.tokens.size()) >= m_decoding.maxNewTokens)
            return true;
        m_result.tokens.push_back(block.tokens[i]);
        m_result.stepMap.push_back(block.stepOf[i]);
        m_result.numMasksLeft += block.cells[i].state == CellState::Masked ? 1 : 0;
        const auto &stops = m_decoding.stopTokens;
        if (std::find(stops.begin(), stops.end(), block.tokens[i]) != stops.end()) {
            m_result.stopReason = StopReason::StopToken;
            return true;
        }
    }
    return static_cast<int>(m_result.tokens.size()) >= m_decoding.maxNewTokens;
}

// Of a block that was stopped half-way, what stands before its first mask belongs to the answer.
void BlockDecoder::appendStopped(const Block &block, int from)
{
    Block readable = block;
    const auto firstMask = std::find_if(block.cells.begin(), block.cells.end(),
                                        [](const BlockCell &cell) { return cell.state == CellState::Masked; });
    readable.tokens.resize(static_cast<std::size_t>(firstMask - block.cells.begin()));
    append(readable, from);
    m_result.numMasksLeft = static_cast<int>(block.maskedPositions().size());
    m_result.stopReason = StopReason::Stopped;
}

void BlockDecoder::noteMasksLeft()
{
    if (m_result.numMasksLeft == 0)
        return;
    const std::string count = std::to_string(m_result.numMasksLeft);
    m_result.warnings.push_back(m_result.stopReason == StopReason::Stopped
                                    ? "stopped: " + count + " positions of the last block are still masked"
                                    : count + " positions are still masked: allow more steps for a block");
}

} // namespace dice::engine
