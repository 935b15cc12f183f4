// Whole forwards of a model against stored logits, inner activations and rotary tables.
#pragma once

#include "core/engine/modelloader_torch.h"
#include "core/engine/parity/recorder.h"
#include "core/engine/parity/storedfiles.h"

namespace dice::engine::parity {

struct TensorForwards
{
    SdarModel &model;
    const formats::ModelConfig &config;
    at::TensorOptions options;
};

// p{i}.b{B}.logits, p{i}.b{B}.padded.logits, long.b{B}.logits in one forward; debug.*
void checkForwards(const TensorForwards &forwards, const StoredTensors &stored, Recorder &recorder);

} // namespace dice::engine::parity
