// The transformer of core/engine as a differentiable function of its weights, over whole rows without a cache.
// Same mathematics, other shape: the engine decodes one block against a cache, training sees every block at once.
#pragma once

#include "core/formats/hfconfig.h"
#include "core/train/flatparameters_torch.h"
#include "core/train/trainingbatch_torch.h"

#include <torch/torch.h>

namespace dice::train {

// [M, V] logits at batch.lossIndex_M, in the type that computes.
at::Tensor logitsAtLoss(const TrainableWeights &weights, const formats::ModelConfig &config,
                        const TrainingBatch &batch);

} // namespace dice::train
