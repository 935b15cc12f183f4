// The loss of block-diffusion supervised fine-tuning (fixtures: "SFT"): cross entropy at the masked positions of the
// noisy copies, each divided by the probability with which it was masked, over the number of answer tokens.
#pragma once

#include "core/formats/hfconfig.h"
#include "core/train/flatparameters_torch.h"
#include "core/train/trainingbatch_torch.h"

#include <torch/torch.h>

namespace dice::train {

struct SftLoss
{
    at::Tensor loss; // scalar float32, differentiable
    at::Tensor crossEntropy_M; // float32, detached
    at::Tensor numCorrect; // scalar int64: masked positions whose best token is the clean one
};

SftLoss sftLoss(const TrainableWeights &weights, const formats::ModelConfig &config, const TrainingBatch &batch);

} // namespace dice::train
