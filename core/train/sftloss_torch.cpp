#include "sftloss_torch.h"

#include "core/train/trainingmodel_torch.h"

namespace dice::train {

SftLoss sftLoss(const TrainableWeights &weights, const formats::ModelConfig &config, const TrainingBatch &batch)
{
    const at::Tensor logits_MV = logitsAtLoss(weights, config, batch).to(at::kFloat);
    const at::Tensor crossEntropy_M
        = at::cross_entropy_loss(logits_MV, batch.targets_M, std::nullopt, at::Reduction::None);
    SftLoss result;
    result.loss = (crossEntropy_M * batch.weights_M).sum() / batch.lossDivisor;
    result.crossEntropy_M = crossEntropy_M.detach();
    result.numCorrect = (logits_MV.detach().argmax(-1) == batch.targets_M).sum();
    return result;
}

} // namespace dice::train
