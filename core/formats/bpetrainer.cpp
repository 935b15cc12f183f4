#include "bpetrainer.h"

#include "bpemerger.h"
#include "splitpattern.h"
#include "utf8.h"

#include <algorithm>
#include <queue>
#include <string_view>
#include <unordered_map>

namespace dice::formats {

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

struct Word
{
    std::vector<std::int32_t> ids;
    std::int64_t count = 0;
};

// Sorted by text: the order of the corpus has no influence on the result.
std::vector<Word> countWords(std::span<const std::string> corpus, const SplitPattern &pattern)
{
    std::unordered_map<std::string, std::int64_t, StringHash, std::equal_to<>> counts;
    std::vector<std::string_view> pieces;
    for (const std::string &text : corpus) {
        const std::string repaired = isValidUtf8(text) ? std::string() : fromUtf8Lossy(text);
        pieces.clear();
        pattern.split(repaired.empty() ? std::string_view(text) : std::string_view(repaired), pieces);
        for (const std::string_view piece : pieces) {
            if (const auto found = counts.find(piece); found != counts.end())
                ++found->second;
            else
                counts.emplace(piece, 1);
        }
    }
    std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<Word> words;
    words.reserve(sorted.size());
    for (const auto &[text, count] : sorted) {
        Word &word = words.emplace_back();
        word.count = count;
        for (const char byte : text)
            word.ids.push_back(static_cast<unsigned char>(byte));
    }
    return words;
}

// Keeps the count of every adjacent pair while words change; offers the most frequent one.
class PairCounts
{
public:
    explicit PairCounts(const std::vector<Word> &words)
    {
        for (std::size_t i = 0; i < words.size(); ++i)
            add(words[i], i);
        for (const auto &[key, entry] : m_entries)
            m_heap.push({entry.count, key});
        m_touched.clear();
    }

    // The most frequent pair, ties to the one with the lower ids; count 0 when none is left.
    std::pair<Pair, std::int64_t> best()
    {
        while (!m_heap.empty()) {
            const Candidate top = m_heap.top();
            const auto found = m_entries.find(top.key);
            if (found != m_entries.end() && found->second.count == top.count && top.count > 0)
                return {Pair(static_cast<std::int32_t>(top.key >> 32), static_cast<std::int32_t>(top.key)), top.count};
            m_heap.pop(); // a count of the past
        }
        return {};
    }

    std::vector<std::size_t> takeWordsWith(Pair pair)
    {
        auto &where = m_entries[BpeMerger::pairKey(pair.first, pair.second)].words;
        std::vector<std::size_t> taken = std::move(where);
        where.clear();
        std::sort(taken.begin(), taken.end());
        taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
        return taken;
    }

    void add(const Word &word, std::size_t index)
    {
        for (std::size_t i = 0; i + 1 < word.ids.size(); ++i) {
            const std::uint64_t key = BpeMerger::pairKey(word.ids[i], word.ids[i + 1]);
            Entry &entry = m_entries[key];
            entry.count += word.count;
            if (entry.words.empty() || entry.words.back() != index)
                entry.words.push_back(index);
            m_touched.push_back(key);
        }
    }

    void remove(const Word &word)
    {
        for (std::size_t i = 0; i + 1 < word.ids.size(); ++i) {
            const std::uint64_t key = BpeMerger::pairKey(word.ids[i], word.ids[i + 1]);
            m_entries[key].count -= word.count;
            m_touched.push_back(key);
        }
    }

    // To be called after a round of changes: what changed is offered with its new count.
    void offerTouched()
    {
        std::sort(m_touched.begin(), m_touched.end());
        m_touched.erase(std::unique(m_touched.begin(), m_touched.end()), m_touched.end());
        for (const std::uint64_t key : m_touched) {
            if (const std::int64_t count = m_entries[key].count; count > 0)
                m_heap.push({count, key});
        }
        m_touched.clear();
    }

private:
    struct Entry
    {
        std::int64_t count = 0;
        std::vector<std::size_t> words; // may name words that have lost the pair
    };
    struct Candidate
    {
        std::int64_t count;
        std::uint64_t key;
        bool operator<(const Candidate &other) const
        {
            return count != other.count ? count < other.count : key > other.key;
        }
    };

    std::unordered_map<std::uint64_t, Entry> m_entries;
    std::priority_queue<Candidate> m_heap;
    std::vector<std::uint64_t> m_touched;
};

bool mergeInWord(Word &word, Pair pair, std::int32_t result)
{
    std::vector<std::int32_t> merged;
    merged.reserve(word.ids.size());
    for (std::size_t i = 0; i < word.ids.size(); ++i) {
        const bool matches = i + 1 < word.ids.size() && word.ids[i] == pair.first && word.ids[i + 1] == pair.second;
        merged.push_back(matches ? result : word.ids[i]);
        i += matches ? 1 : 0;
    }
    const bool hasChanged = merged.size() != word.ids.size();
    word.ids = std::move(merged);
    return hasChanged;
}

void mergeEverywhere(std::vector<Word> &words, PairCounts &counts, Pair pair, std::int32_t result)
{
    for (const std::size_t index : counts.takeWordsWith(pair)) {
        const Word before = words[index];
        if (!mergeInWord(words[index], pair, result))
            continue;
        counts.remove(before);
        counts.add(words[index], index);
    }
    counts.offerTouched();
}

} // namespace

std::string codeSplitPattern(const std::vector<std::string> &wholeWords)
{
    std::string words;
    for (const std::string &word : wholeWords) {
        words += words.empty() ? "" : "|";
        for (const char c : word) {
            const bool isPlain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            words += isPlain ? std::string(1, c) : std::string{'\\', c};
        }
    }
    std::string pattern;
    if (!words.empty())
        pattern = R"( ?(?<![\p{L}\p{N}_])(?:)" + words + R"()(?![\p{L}\p{N}_])|)";
    return pattern + R"( ?_*\p{L}+|_+| ?\p{N}| ?[^\s\p{L}\p{N}_]+|[\r\n]+[ \t]*|\s+(?!\S)|\s+)";
}

Result<BpeModel> trainBpe(std::span<const std::string> corpus, const BpeTrainerOptions &options)
{
    constexpr std::size_t numBytes = 256;
    const std::size_t wanted = options.vocabSize < 0 ? 0 : static_cast<std::size_t>(options.vocabSize);
    if (wanted < numBytes + options.specialTokens.size()) {
        return failure(ErrorCode::InvalidArgument,
                       "a vocabulary of " + std::to_string(options.vocabSize)
                           + " tokens is too small for the 256 bytes and the special tokens; ask for more");
    }
    const auto pattern = SplitPattern::compile(options.splitPattern);
    if (!pattern)
        return tl::unexpected(pattern.error());
    std::vector<Word> words = countWords(corpus, *pattern);
    if (words.empty())
        return failure(ErrorCode::InvalidArgument, "the corpus for the tokenizer is empty; give it some text");

    BpeModel model;
    TokenIds idOfBytes;
    for (std::size_t byte = 0; byte < numBytes; ++byte) {
        model.tokens.emplace_back(1, static_cast<char>(byte));
        idOfBytes.emplace(model.tokens.back(), static_cast<std::int32_t>(byte));
    }
    PairCounts counts(words);
    while (model.tokens.size() + options.specialTokens.size() < wanted) {
        const auto [pair, count] = counts.best();
        if (count < std::max<std::int64_t>(options.minPairCount, 1))
            break;
        std::string bytes
            = model.tokens[static_cast<std::size_t>(pair.first)] + model.tokens[static_cast<std::size_t>(pair.second)];
        // Two pairs can spell the same token ("a"+"bc", "ab"+"c"): it has one id.
        const auto [entry, isNew] = idOfBytes.emplace(bytes, static_cast<std::int32_t>(model.tokens.size()));
        if (isNew)
            model.tokens.push_back(std::move(bytes));
        model.merges.push_back(pair);
        mergeEverywhere(words, counts, pair, entry->second);
    }
    return model;
}

} // namespace dice::formats
