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
    std::int64_t rowMultiple = 1; // rows without a document are added up to a multiple
};

using DocumentRow = std::vector<MaskedDocument>;

// All rows are as long as the longest asks for (rowLengthFor). The noisy copy of a document starts at the block that holds
// its first answer token; a document's length is a multiple of the block length.
TrainingBatch layOut(const std::vector<DocumentRow> &rows, const LayoutOptions &options);

} // namespace dice::train
