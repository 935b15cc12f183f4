// Turns pairs into token documents as the engine would see them: chat template, tokens, prompt padded at its left to
// whole blocks, the answer ended and padded to whole blocks. Torch-free; safe to call from several threads.
#pragma once

#include "core/formats/chattemplate.h"
#include "core/formats/tokenizer.h"
#include "core/train/maskeddocument.h"
#include "core/train/trainer.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace dice::train {

struct DocumentFormat
{
    std::int32_t blockLength = 8;
    std::int32_t padToken = 0;
    std::int32_t endToken = 0; // closes the answer
    std::size_t maxTokens = 2048;
};

class DocumentMaker
{
public:
    static Result<DocumentMaker> fromFolder(const std::filesystem::path &tokenizerFolder, const DocumentFormat &format);

    // Nothing when the document would be longer than the format allows.
    Result<std::optional<Document>> make(const TrainingPair &pair) const;

private:
    DocumentMaker(formats::Tokenizer tokenizer, formats::ChatTemplate chatTemplate, const DocumentFormat &format);

    formats::Tokenizer m_tokenizer;
    formats::ChatTemplate m_chatTemplate;
    DocumentFormat m_format;
};

} // namespace dice::train
