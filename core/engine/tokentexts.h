// Texts of tokens for the canvas: each is decoded once.
#pragma once

#include "core/base/ids.h"
#include "core/data/canvasstep.h"
#include "core/engine/generation.h"
#include "core/formats/tokenizer.h"

#include <optional>
#include <string>
#include <vector>

namespace dice::engine {

class TokenTexts
{
public:
    explicit TokenTexts(formats::Tokenizer tokenizer);

    const std::string &text(TokenId token);
    const formats::Tokenizer &tokenizer() const { return m_tokenizer; }

private:
    formats::Tokenizer m_tokenizer;
    std::vector<std::optional<std::string>> m_texts; // by id
    std::string m_unknown; // of an id without a token: rows beyond the vocabulary
};

// `answerStart` is the position of the answer's first token in the whole sequence.
CanvasStep makeCanvasStep(const BlockStep &step, int answerStart, TokenTexts &texts);

} // namespace dice::engine
