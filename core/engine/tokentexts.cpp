#include "tokentexts.h"

#include <array>

namespace dice::engine {

TokenTexts::TokenTexts(formats::Tokenizer tokenizer)
    : m_tokenizer(std::move(tokenizer))
    , m_texts(static_cast<std::size_t>(m_tokenizer.size()))
{
}

const std::string &TokenTexts::text(TokenId token)
{
    const auto index = static_cast<std::size_t>(token.value);
    if (token.value < 0 || index >= m_texts.size())
        return m_unknown;
    std::optional<std::string> &text = m_texts[index];
    if (!text)
        text = m_tokenizer.decode(std::array{token.value});
    return *text;
}

CanvasStep makeCanvasStep(const BlockStep &step, int answerStart, TokenTexts &texts)
{
    CanvasStep canvas;
    canvas.block = step.block;
    canvas.step = step.step;
    canvas.cells.reserve(step.cells.size());
    for (std::size_t i = 0; i < step.cells.size(); ++i) {
        const BlockCell &from = step.cells[i];
        CanvasCell cell;
        cell.position = step.blockStart + static_cast<int>(i) - answerStart;
        cell.state = from.state;
        cell.token = from.choice.token;
        cell.text = texts.text(cell.token);
        cell.confidence = from.choice.confidence;
        cell.entropy = from.choice.entropy;
        for (int rank = 0; rank < from.choice.numAlternatives; ++rank) {
            const TokenCandidate &candidate = from.choice.alternatives[static_cast<std::size_t>(rank)];
            cell.alternatives.push_back({candidate.token, texts.text(candidate.token), candidate.probability});
        }
        canvas.cells.push_back(std::move(cell));
    }
    return canvas;
}

} // namespace dice::engine
