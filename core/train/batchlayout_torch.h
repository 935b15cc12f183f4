// Lays masked documents out as the rows of a TrainingBatch.
#pragma once

#include "core/train/batchlayout.h"
#include "core/train/maskeddocument.h"
#include "core/train/trainingbatch_torch.h"

#include <cstdint>
#include <vector>

namespace dice::train {

struct LayoutOptions
{
    std::int32_t blockLength = 8;
    std::int32_t maskToken = 0;
    std::int32_t padToken = 0;
    std::int64_t lengthMultiple = 64; // of a row's length in positions: attention kernels want aligned rows
};

using DocumentRow = std::vector<MaskedDocument>;

// A row is as long as its longest neighbour, rounded up. The noisy copy of a document starts at the block that holds
// its first answer token; a document's length is a multiple of the block length.
TrainingBatch layOut(const std::vector<DocumentRow> &rows, const LayoutOptions &options);

} // namespace dice::train
