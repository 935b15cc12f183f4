#include "bpemerger.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace dice::formats {

namespace {
constexpr std::size_t shortWordBytes = 48; // below it a scan for the lowest rank beats a heap
}

BpeMerger::BpeMerger(const std::array<std::int32_t, 256> &byteIds, std::unordered_map<std::uint64_t, MergeRule> rules)
    : m_byteIds(byteIds)
    , m_rules(std::move(rules))
    , m_cache(std::make_unique<std::array<CacheShard, numShards>>())
{
}

void BpeMerger::setWholeWords(TokenIds words)
{
    m_wholeWords = std::move(words);
}

const MergeRule *BpeMerger::rule(std::int32_t left, std::int32_t right) const
{
    const auto found = m_rules.find(pairKey(left, right));
    return found == m_rules.end() ? nullptr : &found->second;
}

void BpeMerger::append(std::string_view word, std::vector<std::int32_t> &ids) const
{
    if (word.size() > maxCachedBytes) {
        const std::vector<std::int32_t> merged = merge(word);
        ids.insert(ids.end(), merged.begin(), merged.end());
        return;
    }
    CacheShard &shard = (*m_cache)[StringHash{}(word) % numShards];
    {
        const std::lock_guard lock(shard.mutex);
        if (const auto found = shard.words.find(word); found != shard.words.end()) {
            ids.insert(ids.end(), found->second.begin(), found->second.end());
            return;
        }
    }
    std::vector<std::int32_t> merged = merge(word);
    ids.insert(ids.end(), merged.begin(), merged.end());
    const std::lock_guard lock(shard.mutex);
    if (shard.words.size() >= maxWordsPerShard)
        shard.words.clear();
    shard.words.emplace(word, std::move(merged));
}

std::vector<std::int32_t> BpeMerger::merge(std::string_view word) const
{
    if (const auto whole = m_wholeWords.find(word); whole != m_wholeWords.end())
        return {whole->second};
    std::vector<std::int32_t> ids;
    ids.reserve(word.size());
    for (const char byte : word) {
        if (const std::int32_t id = m_byteIds[static_cast<unsigned char>(byte)]; id >= 0)
            ids.push_back(id);
    }
    if (ids.size() <= shortWordBytes)
        mergeShort(ids);
    else
        mergeLong(ids);
    return ids;
}

void BpeMerger::mergeShort(std::vector<std::int32_t> &ids) const
{
    while (ids.size() > 1) {
        std::int32_t bestRank = std::numeric_limits<std::int32_t>::max();
        std::int32_t bestResult = -1;
        std::size_t bestPosition = 0;
        for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
            const MergeRule *found = rule(ids[i], ids[i + 1]);
            if (found && found->rank < bestRank) {
                bestRank = found->rank;
                bestResult = found->result;
                bestPosition = i;
            }
        }
        if (bestResult < 0)
            return;
        ids[bestPosition] = bestResult;
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(bestPosition) + 1);
    }
}

// The same order of merges (lowest rank, then leftmost) with a heap over a linked list: n log n for hostile words.
void BpeMerger::mergeLong(std::vector<std::int32_t> &ids) const
{
    struct Candidate
    {
        std::int32_t rank;
        std::size_t left;
        std::size_t right;
        std::uint64_t key; // the pair when it was pushed: differs when one side has been merged since
        std::int32_t result;
        bool operator>(const Candidate &other) const
        {
            return std::pair(rank, left) > std::pair(other.rank, other.left);
        }
    };
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> next(ids.size()), previous(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        previous[i] = i == 0 ? none : i - 1;
        next[i] = i + 1 == ids.size() ? none : i + 1;
    }
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> heap;
    const auto offer = [&](std::size_t left, std::size_t right) {
        if (left == none || right == none)
            return;
        if (const MergeRule *found = rule(ids[left], ids[right]))
            heap.push({found->rank, left, right, pairKey(ids[left], ids[right]), found->result});
    };
    for (std::size_t i = 0; i + 1 < ids.size(); ++i)
        offer(i, i + 1);
    while (!heap.empty()) {
        const Candidate top = heap.top();
        heap.pop();
        if (next[top.left] != top.right || ids[top.left] < 0 || pairKey(ids[top.left], ids[top.right]) != top.key)
            continue;
        ids[top.left] = top.result;
        ids[top.right] = -1; // gone
        next[top.left] = next[top.right];
        if (next[top.right] != none)
            previous[next[top.right]] = top.left;
        offer(previous[top.left], top.left);
        offer(top.left, next[top.left]);
    }
    std::erase(ids, -1);
}

} // namespace dice::formats
