#include "tokenizerreader.h"

#include "textfile.h"
#include "utf8.h"

#include <algorithm>
#include <utility>

namespace dice::formats {

using nlohmann::json;

namespace {
const char *const gpt2SplitPattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
}

std::string textOr(const json &object, const char *key, const std::string &other)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : other;
}

bool flagOf(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

bool hasValue(const json &object, const char *key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && !found->is_null();
}

Status TokenizerReader::readNormalizer(const json &normalizer)
{
    const std::string type = textOr(normalizer, "type");
    if (type == "Sequence") {
        if (++m_sequences > maxSequences)
            return wrong("its stages are nested too deeply");
        for (const json &part : normalizer.value("normalizers", json::array())) {
            if (const Status status = readNormalizer(part); !status)
                return status;
        }
        return {};
    }
    constexpr std::pair<const char *, Normalization> forms[] = {{"NFC", Normalization::Nfc},
                                                                {"NFD", Normalization::Nfd},
                                                                {"NFKC", Normalization::Nfkc},
                                                                {"NFKD", Normalization::Nfkd}};
    for (const auto &[name, form] : forms) {
        if (type == name) {
            m_data->normalizers.push_back(form);
            return {};
        }
    }
    return unsupported("normalizer " + type);
}

Status TokenizerReader::addSplit(const std::string &pattern)
{
    auto compiled = SplitPattern::compile(pattern);
    if (!compiled)
        return tl::unexpected(compiled.error());
    m_data->splits.push_back(std::move(*compiled));
    return {};
}

Status TokenizerReader::readSplit(const json &split)
{
    const auto pattern = split.find("pattern");
    if (pattern == split.end() || !hasValue(*pattern, "Regex"))
        return unsupported("a Split without a regular expression");
    if (textOr(split, "behavior") != "Isolated" || flagOf(split, "invert"))
        return unsupported("Split with behaviour " + textOr(split, "behavior")
                           + (flagOf(split, "invert") ? ", inverted" : ""));
    return addSplit(textOr(*pattern, "Regex"));
}

Status TokenizerReader::readPreTokenizer(const json &preTokenizer)
{
    const std::string type = textOr(preTokenizer, "type");
    if (type == "Sequence") {
        if (++m_sequences > maxSequences)
            return wrong("its stages are nested too deeply");
        for (const json &part : preTokenizer.value("pretokenizers", json::array())) {
            if (const Status status = readPreTokenizer(part); !status)
                return status;
        }
        return {};
    }
    if (type == "Split")
        return readSplit(preTokenizer);
    if (type == "Digits")
        return addSplit(flagOf(preTokenizer, "individual_digits") ? R"(\p{N})" : R"(\p{N}+)");
    if (type != "ByteLevel")
        return unsupported("pre-tokenizer " + type);
    if (flagOf(preTokenizer, "add_prefix_space"))
        return unsupported("add_prefix_space");
    // Absent means true: files written before the option existed.
    if (preTokenizer.contains("use_regex") && !flagOf(preTokenizer, "use_regex"))
        return {};
    return addSplit(gpt2SplitPattern);
}

Status TokenizerReader::placeToken(std::int32_t id, std::string bytes)
{
    if (id < 0 || id > maxTokenId)
        return wrong("token id " + std::to_string(id) + " is out of range");
    const auto position = static_cast<std::size_t>(id);
    if (position >= m_data->bytesOfId.size()) {
        m_data->bytesOfId.resize(position + 1);
        m_data->isKnownId.resize(position + 1, false);
    }
    m_data->bytesOfId[position] = std::move(bytes);
    m_data->isKnownId[position] = true;
    return {};
}

Status TokenizerReader::readVocabulary(const json &vocab)
{
    if (!vocab.is_object() || vocab.empty())
        return wrong("it has no vocabulary");
    m_data->idOfBytes.reserve(vocab.size());
    for (const auto &[token, id] : vocab.items()) {
        if (!id.is_number_integer())
            return wrong("token " + token + " has no number");
        // Tokens outside the byte alphabet exist in some files; they stand for their own text.
        std::string bytes = alphabetToBytes(token).value_or(token);
        const auto number = id.get<std::int64_t>();
        if (number < 0 || number > maxTokenId)
            return wrong("token " + token + " has an id out of range");
        if (static_cast<std::size_t>(number) < m_data->isKnownId.size()
            && m_data->isKnownId[static_cast<std::size_t>(number)])
            return wrong("id " + std::to_string(number) + " belongs to two tokens");
        m_data->idOfBytes.emplace(bytes, static_cast<std::int32_t>(number));
        if (const Status status = placeToken(static_cast<std::int32_t>(number), std::move(bytes)); !status)
            return status;
    }
    return {};
}

Status TokenizerReader::addMerge(std::string_view left, std::string_view right)
{
    const auto leftBytes = alphabetToBytes(left);
    const auto rightBytes = alphabetToBytes(right);
    const auto idOf = [&](const std::string &bytes) {
        const auto found = m_data->idOfBytes.find(bytes);
        return found == m_data->idOfBytes.end() ? -1 : found->second;
    };
    if (!leftBytes || !rightBytes)
        return wrong("merge \"" + std::string(left) + " " + std::string(right) + "\" is not in the byte alphabet");
    const std::int32_t leftId = idOf(*leftBytes), rightId = idOf(*rightBytes), result = idOf(*leftBytes + *rightBytes);
    if (leftId < 0 || rightId < 0 || result < 0)
        return wrong("merge \"" + std::string(left) + " " + std::string(right)
                     + "\" uses a token that is not in the vocabulary");
    const auto rank = static_cast<std::int32_t>(m_rules.size());
    m_rules.emplace(BpeMerger::pairKey(leftId, rightId), MergeRule{rank, result});
    return {};
}

Status TokenizerReader::readMerges(const json &merges)
{
    if (!merges.is_array())
        return wrong("its merges are not a list");
    m_rules.reserve(merges.size());
    for (const json &merge : merges) {
        std::string left, right;
        if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            left = merge[0].get<std::string>();
            right = merge[1].get<std::string>();
        } else if (merge.is_string()) {
            const auto &text = merge.get_ref<const std::string &>();
            const std::size_t space = text.find(' ');
            if (space == std::string::npos)
                return wrong("merge \"" + text + "\" has one part");
            left = text.substr(0, space);
            right = text.substr(space + 1);
        } else {
            return wrong("a merge is neither a text nor a pair");
        }
        if (const Status status = addMerge(left, right); !status)
            return status;
    }
    return {};
}

Status TokenizerReader::readModel(const json &model)
{
    if (textOr(model, "type", "BPE") != "BPE")
        return unsupported("model " + textOr(model, "type"));
    if (flagOf(model, "byte_fallback"))
        return unsupported("byte_fallback");
    if (!textOr(model, "continuing_subword_prefix").empty() || !textOr(model, "end_of_word_suffix").empty())
        return unsupported("a subword prefix or suffix");
    m_ignoresMerges = flagOf(model, "ignore_merges");
    if (const Status status = readVocabulary(model.value("vocab", json())); !status)
        return status;
    return readMerges(model.value("merges", json()));
}

Status TokenizerReader::readAddedTokens(const json &list)
{
    for (const json &entry : list) {
        const auto id = entry.is_object() ? entry.find("id") : entry.end();
        if (!entry.is_object() || id == entry.end() || !id->is_number_integer() || textOr(entry, "content").empty())
            return wrong("an added token has no id or no content");
        const auto number = id->get<std::int64_t>();
        if (number < 0 || number > maxTokenId)
            return wrong("added token " + textOr(entry, "content") + " has an id out of range");
        m_data->added.push_back({.id = static_cast<std::int32_t>(number),
                                 .content = textOr(entry, "content"),
                                 .isSpecial = flagOf(entry, "special"),
                                 .stripsLeft = flagOf(entry, "lstrip"),
                                 .stripsRight = flagOf(entry, "rstrip"),
                                 .isSingleWord = flagOf(entry, "single_word"),
                                 .isNormalized = flagOf(entry, "normalized")});
    }
    return {};
}

Result<Tokenizer> TokenizerReader::finish()
{
    std::array<std::int32_t, 256> byteIds{};
    for (std::size_t byte = 0; byte < byteIds.size(); ++byte) {
        const auto found = m_data->idOfBytes.find(std::string(1, static_cast<char>(byte)));
        byteIds[byte] = found == m_data->idOfBytes.end() ? -1 : found->second;
    }
    m_data->merger.emplace(byteIds, std::move(m_rules));
    if (m_ignoresMerges)
        m_data->merger->setWholeWords(m_data->idOfBytes);
    std::sort(m_data->added.begin(), m_data->added.end(),
              [](const AddedToken &a, const AddedToken &b) { return a.id < b.id; });
    std::vector<const AddedToken *> raw, normalized;
    for (std::size_t i = 0; i < m_data->added.size(); ++i) {
        const AddedToken &token = m_data->added[i];
        if (!m_data->addedOfId.emplace(token.id, i).second)
            return wrong("id " + std::to_string(token.id) + " belongs to two added tokens");
        // The byte-level decoder maps added tokens too, where it can.
        if (const Status status = placeToken(token.id, alphabetToBytes(token.content).value_or(token.content)); !status)
            return tl::unexpected(status.error());
        if (!token.isNormalized) {
            raw.push_back(&token);
            continue;
        }
        AddedToken &form = m_data->normalizedForms.emplace_back(token);
        form.content = applyNormalizers(m_data->normalizers, token.content);
        normalized.push_back(&form);
    }
    m_data->rawMatcher = AddedTokenMatcher(raw);
    m_data->normalizedMatcher = AddedTokenMatcher(normalized);
    return Tokenizer(std::move(m_data));
}

Result<Tokenizer> TokenizerReader::readTokenizerJson()
{
    const auto content = readJsonFile(m_file, "tokenizer");
    if (!content)
        return tl::unexpected(content.error());
    if (!hasValue(*content, "model"))
        return wrong("it has no model");
    if (hasValue(*content, "decoder") && textOr((*content)["decoder"], "type") != "ByteLevel")
        return unsupported("decoder " + textOr((*content)["decoder"], "type"));
    Status status;
    if (hasValue(*content, "normalizer"))
        status = readNormalizer((*content)["normalizer"]);
    if (status && hasValue(*content, "pre_tokenizer"))
        status = readPreTokenizer((*content)["pre_tokenizer"]);
    if (status)
        status = readModel((*content)["model"]);
    if (status && hasValue(*content, "added_tokens"))
        status = readAddedTokens((*content)["added_tokens"]);
    if (!status)
        return tl::unexpected(status.error());
    return finish();
}

} // namespace dice::formats
