#include "trainingbatch_torch.h"

namespace dice::train {

TrainingBatch TrainingBatch::to(at::Device device) const
{
    const auto move = [&](const at::Tensor &tensor) { return tensor.to(device, tensor.scalar_type(), true); };
    TrainingBatch moved;
    moved.tokens_BL = move(tokens_BL);
    moved.positions_BL = move(positions_BL);
    moved.documents_BL = move(documents_BL);
    moved.blocks_BL = move(blocks_BL);
    moved.isNoisy_BL = move(isNoisy_BL);
    moved.lossIndex_M = move(lossIndex_M);
    moved.targets_M = move(targets_M);
    moved.weights_M = move(weights_M);
    moved.lossDivisor = lossDivisor;
    return moved;
}

at::Tensor visibility(const TrainingBatch &batch)
{
    const auto query = [](const at::Tensor &values_BL) { return values_BL.unsqueeze(2); };
    const auto key = [](const at::Tensor &values_BL) { return values_BL.unsqueeze(1); };
    const at::Tensor sameDocument = query(batch.documents_BL) == key(batch.documents_BL);
    const at::Tensor earlierClean
        = (key(batch.blocks_BL) < query(batch.blocks_BL)).logical_and_(key(batch.isNoisy_BL).logical_not());
    const at::Tensor sameCopyOfBlock = (query(batch.blocks_BL) == key(batch.blocks_BL))
                                           .logical_and_(query(batch.isNoisy_BL) == key(batch.isNoisy_BL));
    return earlierClean.logical_or(sameCopyOfBlock).logical_and_(sameDocument);
}

} // namespace dice::train
