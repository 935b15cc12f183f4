#include "tokenizer.h"

#include "tokenizerdata.h"
#include "utf8.h"

#include <utf8proc.h>

#include <cstdlib>
#include <utility>

namespace dice::formats {

const char *const qwen2SplitPattern
    = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

namespace {

utf8proc_option_t optionsOf(Normalization form)
{
    int options = UTF8PROC_STABLE;
    options |= form == Normalization::Nfc || form == Normalization::Nfkc ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
    if (form == Normalization::Nfkc || form == Normalization::Nfkd)
        options |= UTF8PROC_COMPAT;
    return static_cast<utf8proc_option_t>(options);
}

std::string applyNormalizer(Normalization form, std::string_view text)
{
    utf8proc_uint8_t *result = nullptr;
    const utf8proc_ssize_t length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
                                                 static_cast<utf8proc_ssize_t>(text.size()), &result, optionsOf(form));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, &std::free);
    if (length < 0) // the input is UTF-8, so only memory can be missing
        throw std::bad_alloc();
    return std::string(reinterpret_cast<const char *>(result), static_cast<std::size_t>(length));
}

void splitByAll(const std::vector<SplitPattern> &splits, std::string_view text, std::vector<std::string_view> &pieces)
{
    pieces.clear();
    if (text.empty())
        return;
    pieces.push_back(text);
    std::vector<std::string_view> finer;
    for (const SplitPattern &split : splits) {
        finer.clear();
        for (const std::string_view piece : pieces)
            split.split(piece, finer);
        pieces.swap(finer);
    }
}

} // namespace

std::string applyNormalizers(const std::vector<Normalization> &normalizers, std::string_view text)
{
    std::string result(text);
    if (isAscii(text)) // every form leaves ASCII as it is
        return result;
    for (const Normalization form : normalizers)
        result = applyNormalizer(form, result);
    return result;
}

Tokenizer::Tokenizer(std::shared_ptr<const Data> data)
    : m_data(std::move(data))
{
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text) const
{
    std::string repaired;
    if (!isValidUtf8(text)) {
        repaired = fromUtf8Lossy(text);
        text = repaired;
    }
    std::vector<std::int32_t> ids;
    ids.reserve(text.size() / 3);
    std::vector<TextPart> rawParts, parts;
    std::vector<std::string_view> pieces;
    m_data->rawMatcher.split(text, rawParts);
    for (const TextPart &rawPart : rawParts) {
        if (rawPart.token) {
            ids.push_back(rawPart.token->id);
            continue;
        }
        const std::string normalized = applyNormalizers(m_data->normalizers, rawPart.text);
        parts.clear();
        m_data->normalizedMatcher.split(normalized, parts);
        for (const TextPart &part : parts) {
            if (part.token) {
                ids.push_back(part.token->id);
                continue;
            }
            splitByAll(m_data->splits, part.text, pieces);
            for (const std::string_view piece : pieces)
                m_data->merger->append(piece, ids);
        }
    }
    return ids;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids, SpecialTokens special) const
{
    std::string bytes;
    bytes.reserve(ids.size() * 4);
    for (const std::int32_t id : ids) {
        if (special == SpecialTokens::Keep || !isSpecial(id))
            bytes.append(tokenBytes(id));
    }
    return isValidUtf8(bytes) ? bytes : fromUtf8Lossy(bytes);
}

std::string_view Tokenizer::tokenBytes(std::int32_t id) const
{
    if (id < 0 || id >= size())
        return {};
    return m_data->bytesOfId[static_cast<std::size_t>(id)];
}

std::optional<std::int32_t> Tokenizer::idOf(std::string_view token) const
{
    for (const AddedToken &added : m_data->added) {
        if (added.content == token)
            return added.id;
    }
    const auto found = m_data->idOfBytes.find(token);
    return found == m_data->idOfBytes.end() ? std::nullopt : std::optional(found->second);
}

bool Tokenizer::isSpecial(std::int32_t id) const
{
    const auto found = m_data->addedOfId.find(id);
    return found != m_data->addedOfId.end() && m_data->added[found->second].isSpecial;
}

std::int32_t Tokenizer::size() const
{
    return static_cast<std::int32_t>(m_data->bytesOfId.size());
}

const std::vector<AddedToken> &Tokenizer::addedTokens() const
{
    return m_data->added;
}

std::string Tokenizer::normalize(std::string_view text) const
{
    return applyNormalizers(m_data->normalizers, isValidUtf8(text) ? std::string(text) : fromUtf8Lossy(text));
}

std::vector<std::string> Tokenizer::preTokenize(std::string_view normalized) const
{
    std::vector<std::string_view> pieces;
    splitByAll(m_data->splits, normalized, pieces);
    return {pieces.begin(), pieces.end()};
}

} // namespace dice::formats
