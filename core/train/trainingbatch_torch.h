// Rows of a block-diffusion training batch, and which position may see which.
// A row holds whole documents, each as [clean tokens | noisy copy of its last blocks]; the rest of the row is padding.
// Suffixes: B rows, L positions of a row.
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace dice::train {

struct TrainingBatch
{
    at::Tensor tokens_BL; // int64; noisy copies hold the mask token where they are masked
    at::Tensor positions_BL; // int64, inside the document; a noisy copy repeats those of its clean tokens
    at::Tensor documents_BL; // int64, document inside the row; -1 for padding
    at::Tensor blocks_BL; // int64, block inside the document; 0 for padding
    at::Tensor isNoisy_BL; // bool
    at::Tensor lossIndex_M; // int64, flat positions (row * L + position) that carry loss
    at::Tensor targets_M; // int64, the clean token there
    at::Tensor weights_M; // float32, weight of its cross entropy in the sum
    double lossDivisor = 1.0; // the sum is divided by it: number of answer tokens, masked or not

    TrainingBatch to(at::Device device) const;
};

// bool [B, L, L], true where query row i may see key column j (fixtures: "SFT"):
// a clean position sees the clean blocks up to its own, a noisy one the clean blocks before its own and its own
// noisy block. Documents do not see each other; padding sees padding, so that no row is empty.
at::Tensor visibility(const TrainingBatch &batch);

} // namespace dice::train
