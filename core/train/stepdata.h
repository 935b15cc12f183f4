// The documents of one training step: which ones, how they are masked, how they are grouped into passes.
// A pure function of seed and step, so that a resumed run sees what an uninterrupted one would. Torch-free.
#pragma once

#include "core/train/documentmaker.h"
#include "core/train/maskeddocument.h"
#include "core/train/trainer.h"

#include <cstdint>
#include <vector>

namespace dice::train {

// One forward and backward: rows of similar length.
using Pass = std::vector<MaskedDocument>;

struct StepData
{
    std::vector<Pass> passes;
    std::int64_t numAnswerTokens = 0;
    std::int64_t numPositions = 0; // clean and noisy tokens, padding left out
};

struct StepPlan
{
    std::uint64_t seed = 0;
    std::int64_t positionsPerStep = 0;
    std::int64_t positionsPerPass = 0; // padded
    std::int32_t blockLength = 8;
};

// A well-mixed number of three: seeds of steps, documents and masks must not overlap.
std::uint64_t mixSeed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Hides each answer token with the document's own probability; these are spread evenly over (0.02, 1].
std::vector<MaskedDocument> maskDocuments(std::vector<Document> documents, std::uint64_t seed);

// Sorts by length and cuts so that rows * longest row stays within the pass size.
std::vector<Pass> groupByLength(std::vector<MaskedDocument> documents, std::int64_t positionsPerPass,
                                std::int32_t blockLength);

Result<StepData> makeStepData(const StepPlan &plan, std::int64_t step, const PairSource &source,
                              const DocumentMaker &maker);

// Documents that no training step uses.
Result<StepData> makeHeldOutData(const StepPlan &plan, int numDocuments, const PairSource &source,
                                 const DocumentMaker &maker);

} // namespace dice::train
