#include "batchlayout_torch.h"

#include <algorithm>
#include <cassert>

namespace dice::train {

namespace {

std::int64_t rowLength(const DocumentRow &row, std::int32_t blockLength)
{
    std::int64_t length = 0;
    for (const MaskedDocument &masked : row)
        length += layoutLength(masked.document, blockLength);
    return length;
}

// Fills one row of the batch from left to right.
class RowWriter
{
public:
    RowWriter(TrainingBatch &batch, std::int64_t row, const LayoutOptions &options)
        : m_options(options)
        , m_tokens(batch.tokens_BL[row].data_ptr<std::int64_t>())
        , m_positions(batch.positions_BL[row].data_ptr<std::int64_t>())
        , m_documents(batch.documents_BL[row].data_ptr<std::int64_t>())
        , m_blocks(batch.blocks_BL[row].data_ptr<std::int64_t>())
        , m_isNoisy(batch.isNoisy_BL[row].data_ptr<bool>())
        , m_rowStart(row * batch.tokens_BL.size(1))
    {
    }

    void write(const MaskedDocument &masked, std::vector<std::int64_t> &lossIndex, std::vector<std::int64_t> &targets,
               std::vector<float> &weights)
    {
        const std::vector<std::int32_t> &tokens = masked.document.tokens;
        const auto length = static_cast<std::int64_t>(tokens.size());
        for (std::int64_t i = 0; i < length; ++i)
            put(tokens[static_cast<std::size_t>(i)], i, false);
        for (std::int64_t i = noisyStart(masked.document, m_options.blockLength); i < length; ++i) {
            const auto index = static_cast<std::size_t>(i);
            if (masked.isMasked[index]) {
                lossIndex.push_back(m_rowStart + m_next);
                targets.push_back(tokens[index]);
                weights.push_back(1.0f / masked.maskProbability);
            }
            put(masked.isMasked[index] ? m_options.maskToken : tokens[index], i, true);
        }
        ++m_document;
    }

private:
    void put(std::int64_t token, std::int64_t position, bool isNoisy)
    {
        m_tokens[m_next] = token;
        m_positions[m_next] = position;
        m_documents[m_next] = m_document;
        m_blocks[m_next] = position / m_options.blockLength;
        m_isNoisy[m_next] = isNoisy;
        ++m_next;
    }

    const LayoutOptions &m_options;
    std::int64_t *m_tokens;
    std::int64_t *m_positions;
    std::int64_t *m_documents;
    std::int64_t *m_blocks;
    bool *m_isNoisy;
    std::int64_t m_rowStart;
    std::int64_t m_next = 0;
    std::int64_t m_document = 0;
};

} // namespace

TrainingBatch layOut(const std::vector<DocumentRow> &rows, const LayoutOptions &options)
{
    std::int64_t length = 0;
    for (const DocumentRow &row : rows)
        length = std::max(length, rowLength(row, options.blockLength));
    const auto numRows = static_cast<std::int64_t>(rows.size());
    const std::vector<std::int64_t> shape{
        (numRows + options.rowMultiple - 1) / options.rowMultiple * options.rowMultiple, rowLengthFor(length)};

    TrainingBatch batch;
    batch.tokens_BL = at::full(shape, options.padToken, at::kLong);
    batch.positions_BL = at::zeros(shape, at::kLong);
    batch.documents_BL = at::full(shape, -1, at::kLong);
    batch.blocks_BL = at::zeros(shape, at::kLong);
    batch.isNoisy_BL = at::zeros(shape, at::kBool);
    std::vector<std::int64_t> lossIndex;
    std::vector<std::int64_t> targets;
    std::vector<float> weights;
    std::int64_t numAnswerTokens = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        RowWriter writer(batch, static_cast<std::int64_t>(row), options);
        for (const MaskedDocument &masked : rows[row]) {
            assert(masked.document.tokens.size() % static_cast<std::size_t>(options.blockLength) == 0);
            assert(masked.isMasked.size() == masked.document.tokens.size());
            writer.write(masked, lossIndex, targets, weights);
            numAnswerTokens += static_cast<std::int64_t>(masked.document.tokens.size()) - masked.document.promptLength;
        }
    }
    batch.lossIndex_M = at::tensor(lossIndex, at::kLong);
    batch.targets_M = at::tensor(targets, at::kLong);
    batch.weights_M = at::tensor(weights, at::kFloat);
    batch.lossDivisor = static_cast<double>(std::max<std::int64_t>(numAnswerTokens, 1));
    return batch;
}

} // namespace dice::train
