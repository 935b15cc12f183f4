// The layout of a folder: which files a tokenizer is in, and the form without tokenizer.json.
#include "tokenizerreader.h"

#include "textfile.h"

#include <algorithm>
#include <utility>

namespace dice::formats {

using nlohmann::json;

Status TokenizerReader::readMergesText(std::string_view text)
{
    bool isFirstLine = true;
    while (!text.empty()) {
        const std::size_t lineEnd = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, lineEnd);
        text.remove_prefix(std::min(lineEnd + 1, text.size()));
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        const bool isVersion = isFirstLine && line.starts_with("#version");
        isFirstLine = false;
        if (line.empty() || isVersion)
            continue;
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos)
            return wrong("merge \"" + std::string(line) + "\" has one part");
        if (const Status status = addMerge(line.substr(0, space), line.substr(space + 1)); !status)
            return status;
    }
    return {};
}

// added_tokens.json gives names and ids; the flags are in tokenizer_config.json's added_tokens_decoder.
Status TokenizerReader::readAddedFiles(const std::filesystem::path &folder)
{
    json list = json::array();
    std::error_code ignored;
    json decoder = json::object();
    if (std::filesystem::exists(folder / "tokenizer_config.json", ignored)) {
        const auto config = readJsonFile(folder / "tokenizer_config.json", "tokenizer settings");
        if (!config)
            return tl::unexpected(config.error());
        if (config->is_object() && config->contains("added_tokens_decoder"))
            decoder = (*config)["added_tokens_decoder"];
    }
    if (std::filesystem::exists(folder / "added_tokens.json", ignored)) {
        const auto names = readJsonFile(folder / "added_tokens.json", "tokenizer");
        if (!names)
            return tl::unexpected(names.error());
        for (const auto &[content, id] : names->items()) {
            if (id.is_number_integer() && !decoder.contains(id.dump()))
                list.push_back({{"id", id}, {"content", content}, {"special", false}, {"normalized", true}});
        }
    }
    for (const auto &[id, entry] : decoder.items()) {
        const bool isNumber = !id.empty() && id.size() < 10
            && std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!isNumber || !entry.is_object())
            return wrong("tokenizer_config.json has an added token without a number");
        list.push_back(entry);
        list.back()["id"] = std::stol(id);
    }
    return readAddedTokens(list);
}

Result<Tokenizer> TokenizerReader::readVocabAndMerges(const std::filesystem::path &folder)
{
    TokenizerReader reader(folder / "vocab.json");
    const auto vocab = readJsonFile(folder / "vocab.json", "tokenizer");
    if (!vocab)
        return tl::unexpected(vocab.error());
    const auto merges = readTextFile(folder / "merges.txt", "tokenizer");
    if (!merges)
        return tl::unexpected(merges.error());
    reader.m_data->normalizers.push_back(Normalization::Nfc);
    Status status = reader.addSplit(qwen2SplitPattern);
    if (status)
        status = reader.readVocabulary(*vocab);
    if (status)
        status = reader.readMergesText(*merges);
    if (status)
        status = reader.readAddedFiles(folder);
    if (!status)
        return tl::unexpected(status.error());
    return reader.finish();
}

namespace {
// The readers check what they expect; anything else of the wrong JSON type ends here.
template <typename Read> Result<Tokenizer> withoutJsonExceptions(const std::filesystem::path &file, const Read &read)
{
    try {
        return read();
    } catch (const json::exception &error) {
        return failure(ErrorCode::InvalidData,
                       "tokenizer " + file.string() + " is not laid out as expected; download it again", error.what());
    }
}
} // namespace

Result<Tokenizer> Tokenizer::fromTokenizerJson(const std::filesystem::path &file)
{
    return withoutJsonExceptions(file, [&] { return TokenizerReader(file).readTokenizerJson(); });
}

Result<Tokenizer> Tokenizer::fromVocabAndMerges(const std::filesystem::path &folder)
{
    return withoutJsonExceptions(folder, [&] { return TokenizerReader::readVocabAndMerges(folder); });
}

Result<Tokenizer> Tokenizer::fromFolder(const std::filesystem::path &folder)
{
    std::error_code ignored;
    if (std::filesystem::exists(folder / "tokenizer.json", ignored))
        return fromTokenizerJson(folder / "tokenizer.json");
    if (std::filesystem::exists(folder / "vocab.json", ignored))
        return fromVocabAndMerges(folder);
    return failure(ErrorCode::NotFound,
                   "model folder " + folder.string()
                       + " has neither tokenizer.json nor vocab.json; choose a folder that holds a tokenizer");
}

} // namespace dice::formats
