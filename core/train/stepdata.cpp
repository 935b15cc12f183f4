#include "stepdata.h"

#include "core/train/batchlayout.h"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

namespace dice::train {

namespace {

constexpr double smallestMaskProbability = 0.02;
constexpr std::uint64_t heldOutStream = ~std::uint64_t{0};
constexpr std::uint64_t maskStream = 1;
constexpr int maxSkippedInARow = 1000; // documents over the length limit; more mean that the limit is no sense

struct DocumentReader
{
    const PairSource &source;
    const DocumentMaker &maker;
    std::uint64_t seed;
    std::uint64_t next = 0;

    Result<Document> read()
    {
        for (int skipped = 0; skipped < maxSkippedInARow; ++skipped) {
            Result<std::optional<Document>> document = maker.make(source(mixSeed(seed, 0, next++)));
            if (!document)
                return tl::unexpected(document.error());
            if (*document)
                return std::move(**document);
        }
        return failure(ErrorCode::InvalidArgument,
                       "nearly every document is longer than max_document_tokens allows; raise it");
    }
};

StepData groupAndCount(std::vector<MaskedDocument> documents, const StepPlan &plan)
{
    StepData data;
    for (const MaskedDocument &masked : documents) {
        data.numAnswerTokens += static_cast<std::int64_t>(masked.document.tokens.size()) - masked.document.promptLength;
        data.numPositions += layoutLength(masked.document, plan.blockLength);
    }
    data.passes = groupByLength(std::move(documents), plan.positionsPerPass, plan.blockLength);
    return data;
}

} // namespace

// SplitMix64 (Steele, Lea and Flood 2014) over the three numbers in turn.
std::uint64_t mixSeed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
{
    std::uint64_t state = seed;
    for (const std::uint64_t part : {stream, index}) {
        state += part + 0x9e3779b97f4a7c15u;
        state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
        state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
        state ^= state >> 31;
    }
    return state;
}

std::vector<MaskedDocument> maskDocuments(std::vector<Document> documents, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<std::size_t> strata(documents.size());
    for (std::size_t i = 0; i < strata.size(); ++i)
        strata[i] = i;
    std::shuffle(strata.begin(), strata.end(), random);

    std::vector<MaskedDocument> masked;
    masked.reserve(documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const double place = (static_cast<double>(strata[i]) + uniform(random)) / static_cast<double>(strata.size());
        const double probability = 1.0 - (1.0 - smallestMaskProbability) * place;
        MaskedDocument item;
        item.document = std::move(documents[i]);
        item.maskProbability = static_cast<float>(probability);
        item.isMasked.resize(item.document.tokens.size(), false);
        for (auto token = static_cast<std::size_t>(item.document.promptLength); token < item.isMasked.size(); ++token)
            item.isMasked[token] = uniform(random) < probability;
        masked.push_back(std::move(item));
    }
    return masked;
}

std::vector<Pass> groupByLength(std::vector<MaskedDocument> documents, std::int64_t positionsPerPass,
                                std::int32_t blockLength)
{
    const auto lengthOf = [&](const MaskedDocument &masked) { return layoutLength(masked.document, blockLength); };
    std::stable_sort(documents.begin(), documents.end(),
                     [&](const MaskedDocument &a, const MaskedDocument &b) { return lengthOf(a) > lengthOf(b); });
    std::vector<Pass> passes;
    std::int64_t rowLength = 0;
    for (MaskedDocument &masked : documents) {
        const bool fits
            = !passes.empty() && rowLength * static_cast<std::int64_t>(passes.back().size() + 1) <= positionsPerPass;
        if (!fits) {
            passes.emplace_back();
            rowLength = rowLengthFor(lengthOf(masked)); // the longest comes first
        }
        passes.back().push_back(std::move(masked));
    }
    return passes;
}

Result<StepData> makeStepData(const StepPlan &plan, std::int64_t step, const PairSource &source,
                              const DocumentMaker &maker)
{
    const std::uint64_t stepSeed = mixSeed(plan.seed, 0, static_cast<std::uint64_t>(step));
    DocumentReader reader{source, maker, stepSeed};
    std::vector<Document> documents;
    std::int64_t positions = 0;
    while (positions < plan.positionsPerStep) {
        Result<Document> document = reader.read();
        if (!document)
            return tl::unexpected(document.error());
        positions += layoutLength(*document, plan.blockLength);
        documents.push_back(std::move(*document));
    }
    return groupAndCount(maskDocuments(std::move(documents), mixSeed(stepSeed, maskStream, 0)), plan);
}

Result<StepData> makeHeldOutData(const StepPlan &plan, int numDocuments, const PairSource &source,
                                 const DocumentMaker &maker)
{
    // The same documents whatever the training's seed, so that runs can be compared.
    DocumentReader reader{source, maker, mixSeed(0, heldOutStream, 0)};
    std::vector<Document> documents;
    for (int i = 0; i < numDocuments; ++i) {
        Result<Document> document = reader.read();
        if (!document)
            return tl::unexpected(document.error());
        documents.push_back(std::move(*document));
    }
    return groupAndCount(maskDocuments(std::move(documents), mixSeed(0, heldOutStream, maskStream)), plan);
}

} // namespace dice::train
