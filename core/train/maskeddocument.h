// One training document with the tokens that its noisy copy hides. Knows no Torch.
#pragma once

#include <cstdint>
#include <vector>

namespace dice::train {

// Prompt and answer as the model sees them: chat template applied, padded to whole blocks.
struct Document
{
    std::vector<std::int32_t> tokens;
    std::int32_t promptLength = 0; // tokens before the first answer token; these carry no loss
};

struct MaskedDocument
{
    Document document;
    std::vector<bool> isMasked; // one a token; false in the prompt
    float maskProbability = 1.0f; // with which each answer token was hidden; its inverse weighs the loss
};

} // namespace dice::train
