// Builds a Tokenizer from the files of a folder. Internal to core/formats.
#pragma once

#include "tokenizer.h"
#include "tokenizerdata.h"

#include <nlohmann/json.hpp>

namespace dice::formats {

constexpr std::int32_t maxTokenId = 1 << 24; // far above any vocabulary: a lying id must not fill the memory

// Look-ups that give the neutral value for an absent key or one of another type.
std::string textOr(const nlohmann::json &object, const char *key, const std::string &other = {});
bool flagOf(const nlohmann::json &object, const char *key);
bool hasValue(const nlohmann::json &object, const char *key);

// Builds a Tokenizer from either layout. Every wrong fact is an Error that names the file.
struct TokenizerReader
{
    explicit TokenizerReader(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }

    Result<Tokenizer> readTokenizerJson();
    static Result<Tokenizer> readVocabAndMerges(const std::filesystem::path &folder);

private:
    tl::unexpected<Error> wrong(const std::string &why) const
    {
        return failure(ErrorCode::InvalidData, "tokenizer " + m_file.string() + ": " + why + "; download it again");
    }
    tl::unexpected<Error> unsupported(const std::string &what) const
    {
        return failure(ErrorCode::Unsupported,
                       "tokenizer " + m_file.string() + " uses " + what + ", which this program does not know");
    }
    Status readNormalizer(const nlohmann::json &normalizer);
    Status readPreTokenizer(const nlohmann::json &preTokenizer);
    Status readSplit(const nlohmann::json &split);
    Status addSplit(const std::string &pattern);
    Status readModel(const nlohmann::json &model);
    Status readVocabulary(const nlohmann::json &vocab);
    Status readMerges(const nlohmann::json &merges);
    Status readMergesText(std::string_view text);
    Status addMerge(std::string_view left, std::string_view right);
    Status readAddedTokens(const nlohmann::json &list);
    Status readAddedFiles(const std::filesystem::path &folder);
    Status placeToken(std::int32_t id, std::string bytes);
    Result<Tokenizer> finish();

    std::filesystem::path m_file;
    std::shared_ptr<Tokenizer::Data> m_data = std::make_shared<Tokenizer::Data>();
    std::unordered_map<std::uint64_t, MergeRule> m_rules;
    bool m_ignoresMerges = false;
    int m_sequences = 0;
    static constexpr int maxSequences = 32;
};

} // namespace dice::formats
