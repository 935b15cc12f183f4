// The merge stage of a byte-level BPE: one pre-token's bytes in, ids out, with a cache of words seen before.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dice::formats {

struct StringHash
{
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using TokenIds = std::unordered_map<std::string, std::int32_t, StringHash, std::equal_to<>>;

struct MergeRule
{
    std::int32_t rank = 0;
    std::int32_t result = 0; // id of the two tokens together
};

// Immutable but for the cache, which locks itself.
class BpeMerger
{
public:
    // `byteIds`: id of each single byte, -1 when the vocabulary lacks it (such bytes are dropped, as in the reference).
    BpeMerger(const std::array<std::int32_t, 256> &byteIds, std::unordered_map<std::uint64_t, MergeRule> rules);

    static std::uint64_t pairKey(std::int32_t left, std::int32_t right)
    {
        return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32) | static_cast<std::uint32_t>(right);
    }

    void setWholeWords(TokenIds words); // words that are looked up before any merge
    void append(std::string_view word, std::vector<std::int32_t> &ids) const;

private:
    struct CacheShard
    {
        std::mutex mutex;
        std::unordered_map<std::string, std::vector<std::int32_t>, StringHash, std::equal_to<>> words;
    };
    static constexpr std::size_t numShards = 64;
    static constexpr std::size_t maxWordsPerShard = 2048;
    static constexpr std::size_t maxCachedBytes = 64;

    std::vector<std::int32_t> merge(std::string_view word) const;
    void mergeShort(std::vector<std::int32_t> &ids) const;
    void mergeLong(std::vector<std::int32_t> &ids) const;
    const MergeRule *rule(std::int32_t left, std::int32_t right) const;

    std::array<std::int32_t, 256> m_byteIds;
    std::unordered_map<std::uint64_t, MergeRule> m_rules;
    TokenIds m_wholeWords;
    std::unique_ptr<std::array<CacheShard, numShards>> m_cache;
};

} // namespace dice::formats
