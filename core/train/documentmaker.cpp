#include "documentmaker.h"

#include <utility>
#include <vector>

namespace dice::train {

DocumentMaker::DocumentMaker(formats::Tokenizer tokenizer, formats::ChatTemplate chatTemplate,
                             const DocumentFormat &format)
    : m_tokenizer(std::move(tokenizer))
    , m_chatTemplate(std::move(chatTemplate))
    , m_format(format)
{
}

Result<DocumentMaker> DocumentMaker::fromFolder(const std::filesystem::path &tokenizerFolder,
                                                const DocumentFormat &format)
{
    Result<formats::Tokenizer> tokenizer = formats::Tokenizer::fromFolder(tokenizerFolder);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    Result<formats::ChatTemplate> chatTemplate = formats::ChatTemplate::fromFolder(tokenizerFolder);
    if (!chatTemplate)
        return tl::unexpected(chatTemplate.error());
    return DocumentMaker(std::move(*tokenizer), std::move(*chatTemplate), format);
}

Result<std::optional<Document>> DocumentMaker::make(const TrainingPair &pair) const
{
    const Result<std::string> prompt = m_chatTemplate.renderPrompt({{"user", pair.prompt}});
    if (!prompt)
        return tl::unexpected(prompt.error());
    const std::vector<std::int32_t> promptTokens = m_tokenizer.encode(*prompt);
    const std::vector<std::int32_t> answerTokens = m_tokenizer.encode(pair.answer);
    const auto block = static_cast<std::size_t>(m_format.blockLength);
    const auto padding = [&](std::size_t length) { return (block - length % block) % block; };

    Document document;
    document.tokens.assign(padding(promptTokens.size()), m_format.padToken);
    document.tokens.insert(document.tokens.end(), promptTokens.begin(), promptTokens.end());
    document.promptLength = static_cast<std::int32_t>(document.tokens.size());
    document.tokens.insert(document.tokens.end(), answerTokens.begin(), answerTokens.end());
    document.tokens.push_back(m_format.endToken);
    document.tokens.insert(document.tokens.end(), padding(document.tokens.size()), m_format.padToken);
    if (document.tokens.size() > m_format.maxTokens)
        return std::nullopt;
    return document;
}

} // namespace dice::train
