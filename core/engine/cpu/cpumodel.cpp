#include "cpumodel.h"

#include "core/engine/cpu/kernels.h"
#include "core/engine/cpu/parallel.h"

#include <algorithm>
#include <cmath>

namespace dice::engine::cpu {

namespace {

// Tokens of one storing forward: bounds the memory of its buffers.
constexpr std::size_t maxStoreTokens = 512;

constexpr int rowsOfAttention = 16; // query rows whose scores are held at once

// Like resize, but the buffer only grows: decoding allocates nothing after its first steps.
void makeRoom(std::vector<float> &buffer, std::int64_t size)
{
    if (static_cast<std::int64_t>(buffer.size()) < size)
        buffer.resize(static_cast<std::size_t>(size));
}

} // namespace

CpuModel::CpuModel(formats::ModelConfig config, CpuWeights weights, RopeSource ropeSource)
    : m_config(std::move(config))
    , m_weights(std::move(weights))
    , m_ropeSource(std::move(ropeSource))
{
}

void CpuModel::reset(int blockLength, int capacity)
{
    m_blockLength = blockLength;
    m_cache.reset({static_cast<int>(m_config.numLayers), static_cast<int>(m_config.numKvHeads),
                   static_cast<int>(m_config.headDim), std::max(capacity, 2 * blockLength)});
    const auto numNeeded = static_cast<std::size_t>(m_cache.capacity()) * static_cast<std::size_t>(m_config.headDim);
    if (m_rope.cos.size() < numNeeded)
        m_rope = m_ropeSource(m_cache.capacity());
}

void CpuModel::store(std::span<const TokenId> tokens)
{
    const auto block = static_cast<std::size_t>(m_blockLength);
    const std::size_t portion = std::max(maxStoreTokens / block, std::size_t{1}) * block;
    for (std::size_t from = 0; from < tokens.size(); from += portion) {
        const std::size_t count = std::min(portion, tokens.size() - from);
        forward(tokens.subspan(from, count), static_cast<int>(count));
        m_cache.keep(static_cast<int>(count));
    }
}

std::span<const float> CpuModel::denoise(const DenoiseCall &call)
{
    std::vector<TokenId> tokens(call.finished.begin(), call.finished.end());
    tokens.insert(tokens.end(), call.block.begin(), call.block.end());
    forward(tokens, static_cast<int>(call.finished.size()));
    m_cache.keep(static_cast<int>(call.finished.size()));
    // Only the rows that are asked for go through the head.
    const auto hidden = static_cast<int>(m_config.hiddenSize);
    const int numRows = static_cast<int>(call.rows.size());
    for (int i = 0; i < numRows; ++i) {
        const int row = static_cast<int>(call.finished.size()) + call.rows[static_cast<std::size_t>(i)];
        rmsNorm(rowOf(m_state, row), m_weights.finalNorm.data(), static_cast<float>(m_config.rmsNormEps),
                m_normed.data() + static_cast<std::ptrdiff_t>(i) * hidden, hidden);
    }
    makeRoom(m_logits, numRows * m_config.vocabSize);
    m_weights.head.apply(m_normed.data(), numRows, m_logits.data());
    return {m_logits.data(), static_cast<std::size_t>(numRows * m_config.vocabSize)};
}

float *CpuModel::rowOf(std::vector<float> &buffer, int row) const
{
    return buffer.data() + static_cast<std::ptrdiff_t>(row) * m_config.hiddenSize;
}

void CpuModel::forward(std::span<const TokenId> tokens, int firstWanted)
{
    m_numTokens = static_cast<int>(tokens.size());
    const std::int64_t count = m_numTokens;
    const std::int64_t numQuery = m_config.numHeads * m_config.headDim;
    makeRoom(m_state, count * m_config.hiddenSize);
    makeRoom(m_normed, count * m_config.hiddenSize);
    makeRoom(m_update, count * m_config.hiddenSize);
    makeRoom(m_heads, count * (numQuery + 2 * m_config.numKvHeads * m_config.headDim));
    makeRoom(m_mixed, count * numQuery);
    makeRoom(m_gateUp, count * 2 * m_config.intermediateSize);
    makeRoom(m_gated, count * m_config.intermediateSize);
    for (int row = 0; row < m_numTokens; ++row) {
        const auto id = static_cast<std::ptrdiff_t>(tokens[static_cast<std::size_t>(row)].value);
        std::copy_n(m_weights.embedding.data() + id * m_config.hiddenSize, m_config.hiddenSize, rowOf(m_state, row));
    }
    // Later layers read every row; behind the last one nobody reads the others.
    const int lastLayer = static_cast<int>(m_config.numLayers) - 1;
    for (int layer = 0; layer <= lastLayer; ++layer)
        runLayer(layer, layer == lastLayer ? firstWanted : 0);
}

// Keys and values of all rows; the states of rows from `firstRow` on.
void CpuModel::runLayer(int layer, int firstRow)
{
    const CpuLayer &weights = m_weights.layers[static_cast<std::size_t>(layer)];
    const auto hidden = static_cast<int>(m_config.hiddenSize);
    const auto epsilon = static_cast<float>(m_config.rmsNormEps);
    for (int row = 0; row < m_numTokens; ++row)
        rmsNorm(rowOf(m_state, row), weights.attentionNorm.data(), epsilon, rowOf(m_normed, row), hidden);
    weights.queryKeyValue.apply(m_normed.data(), m_numTokens, m_heads.data());
    writeHeads(layer);
    const int numRows = m_numTokens - firstRow;
    if (numRows == 0)
        return;
    attend(layer, firstRow);
    const std::ptrdiff_t mixedLength = m_config.numHeads * m_config.headDim;
    weights.output.apply(m_mixed.data() + firstRow * mixedLength, numRows, rowOf(m_update, firstRow));
    add(rowOf(m_state, firstRow), rowOf(m_update, firstRow), numRows * hidden);
    feedForward(weights, firstRow);
}

void CpuModel::feedForward(const CpuLayer &weights, int firstRow)
{
    const auto hidden = static_cast<int>(m_config.hiddenSize);
    const auto inner = static_cast<int>(m_config.intermediateSize);
    const int numRows = m_numTokens - firstRow;
    for (int row = firstRow; row < m_numTokens; ++row)
        rmsNorm(rowOf(m_state, row), weights.feedForwardNorm.data(), static_cast<float>(m_config.rmsNormEps),
                rowOf(m_normed, row), hidden);
    weights.gateUp.apply(rowOf(m_normed, firstRow), numRows, m_gateUp.data());
    for (int row = 0; row < numRows; ++row) {
        const float *gate = m_gateUp.data() + static_cast<std::ptrdiff_t>(row) * 2 * inner;
        gatedSilu(gate, gate + inner, m_gated.data() + static_cast<std::ptrdiff_t>(row) * inner, inner);
    }
    weights.down.apply(m_gated.data(), numRows, rowOf(m_update, firstRow));
    add(rowOf(m_state, firstRow), rowOf(m_update, firstRow), numRows * hidden);
}

// Norm and rotation of queries and keys, in place; keys and values into the cache.
void CpuModel::writeHeads(int layer)
{
    const CpuLayer &weights = m_weights.layers[static_cast<std::size_t>(layer)];
    const auto size = static_cast<int>(m_config.headDim);
    const auto numHeads = static_cast<int>(m_config.numHeads);
    const auto numKvHeads = static_cast<int>(m_config.numKvHeads);
    const auto epsilon = static_cast<float>(m_config.rmsNormEps);
    for (int row = 0; row < m_numTokens; ++row) {
        float *heads = m_heads.data() + static_cast<std::ptrdiff_t>(row) * (numHeads + 2 * numKvHeads) * size;
        const std::ptrdiff_t angle = static_cast<std::ptrdiff_t>(m_cache.length() + row) * size;
        for (int head = 0; head < numHeads + numKvHeads; ++head) {
            float *vector = heads + static_cast<std::ptrdiff_t>(head) * size;
            const std::vector<float> &norm = head < numHeads ? weights.queryNorm : weights.keyNorm;
            rmsNorm(vector, norm.data(), epsilon, vector, size);
            rotate(vector, m_rope.cos.data() + angle, m_rope.sin.data() + angle, size);
        }
        const float *keys = heads + static_cast<std::ptrdiff_t>(numHeads) * size;
        const float *values = keys + static_cast<std::ptrdiff_t>(numKvHeads) * size;
        for (int head = 0; head < numKvHeads; ++head)
            m_cache.write(layer, head, row, keys + static_cast<std::ptrdiff_t>(head) * size,
                          values + static_cast<std::ptrdiff_t>(head) * size);
    }
}

void CpuModel::attend(int layer, int firstRow)
{
    const int numRows = m_numTokens - firstRow;
    const int numPortions = (numRows + rowsOfAttention - 1) / rowsOfAttention;
    const auto numHeads = static_cast<int>(m_config.numHeads);
    const double numSeen = m_cache.length() + m_numTokens;
    const double work = 4.0 * std::min(rowsOfAttention, numRows) * numSeen * static_cast<double>(m_config.headDim);
    parallelFor(numHeads * numPortions, work, [&](int from, int to) {
        for (int item = from; item < to; ++item) {
            const int row = firstRow + item / numHeads * rowsOfAttention;
            attendRows(layer, item % numHeads, row, std::min(rowsOfAttention, m_numTokens - row));
        }
    });
}

// Keys that a new token sees: all up to the end of its own block. The cache holds whole blocks.
int CpuModel::numVisible(int row) const
{
    const int endOfBlock = (row / m_blockLength + 1) * m_blockLength;
    return m_cache.length() + std::min(endOfBlock, m_numTokens);
}

void CpuModel::attendRows(int layer, int head, int firstRow, int numRows)
{
    const auto size = static_cast<int>(m_config.headDim);
    const auto numHeads = static_cast<int>(m_config.numHeads);
    const int kvHead = head / (numHeads / static_cast<int>(m_config.numKvHeads));
    const std::ptrdiff_t headsStride = static_cast<std::ptrdiff_t>(numHeads + 2 * m_config.numKvHeads) * size;
    const int numKeys = numVisible(firstRow + numRows - 1);
    const int numPanels = (numKeys + panelWidth - 1) / panelWidth;
    // An odd number of cache lines: rows a power of two apart would share the same few places of the cache.
    const int scoresStride = (numPanels | 1) * panelWidth;
    thread_local std::vector<float> scores;
    makeRoom(scores, static_cast<std::int64_t>(rowsOfAttention) * scoresStride);

    const RowsIn queries{m_heads.data() + firstRow * headsStride + static_cast<std::ptrdiff_t>(head) * size,
                         headsStride, numRows, size};
    for (int panel = 0; panel < numPanels; ++panel)
        multiply(queries, m_cache.keyPanel(layer, kvHead, panel),
                 {scores.data() + static_cast<std::ptrdiff_t>(panel) * panelWidth, scoresStride, panelWidth});
    const float scale = 1.0f / std::sqrt(static_cast<float>(size));
    for (int row = 0; row < numRows; ++row)
        softmax(scores.data() + static_cast<std::ptrdiff_t>(row) * scoresStride, scale, numVisible(firstRow + row),
                numKeys);

    const RowsIn shares{scores.data(), scoresStride, numRows, numKeys};
    float *out = m_mixed.data() + (static_cast<std::ptrdiff_t>(firstRow) * numHeads + head) * size;
    for (int column = 0; column < size; column += panelWidth)
        multiply(shares, m_cache.valuePanel(layer, kvHead, column / panelWidth),
                 {out + column, static_cast<std::ptrdiff_t>(numHeads) * size, std::min(panelWidth, size - column)});
}

} // namespace dice::engine::cpu
