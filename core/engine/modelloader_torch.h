// From a model folder and the words of a request ("auto", "cuda:0", "bfloat16") to a model on its device.
#pragma once

#include "core/base/result.h"
#include "core/engine/sdarmodel_torch.h"
#include "core/formats/hfconfig.h"

#include <filesystem>
#include <memory>
#include <string>

namespace dice::engine {

struct LoadedModel
{
    formats::ModelConfig config;
    std::unique_ptr<BlockModel> model; // the CPU's own loops for float32 there, else tensors
};

// "auto" (a CUDA device when one works, else the CPU), "cpu", "cuda", "cuda:N".
Result<at::Device> deviceFromString(const std::string &name);

// "float32", "bfloat16", or "auto": float32 on the CPU, on a CUDA device what the configuration says.
Result<at::ScalarType> dtypeFromString(const std::string &name, const at::Device &device,
                                       const formats::ModelConfig &config);

// Unsupported names the architecture that is not there yet.
Result<LoadedModel> loadModel(const std::filesystem::path &folder, const std::string &device, const std::string &dtype);

// The model in tensors whatever the device: for comparing inner activations.
Result<std::unique_ptr<SdarModel>> loadTensorModel(const std::filesystem::path &folder,
                                                   const formats::ModelConfig &config,
                                                   const at::TensorOptions &options);

} // namespace dice::engine
