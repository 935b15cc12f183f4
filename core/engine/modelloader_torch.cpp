#include "modelloader_torch.h"

#include "core/engine/cpu/cpumodel.h"
#include "core/engine/torchborder.h"

#include <charconv>
#include <string_view>

namespace dice::engine {

namespace {

std::optional<int> deviceNumber(std::string_view name)
{
    constexpr std::string_view prefix = "cuda";
    if (!name.starts_with(prefix))
        return {};
    name.remove_prefix(prefix.size());
    if (name.empty())
        return 0;
    int number = -1;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    const bool isWhole = name.front() == ':' && error == std::errc() && end == name.data() + name.size();
    return isWhole && number >= 0 ? std::optional<int>(number) : std::nullopt;
}

// Made by the same tensor operations as on other devices: the parity bound leaves no room for other roundings.
cpu::RopeSource ropeSourceOf(const formats::ModelConfig &config)
{
    return [size = config.headDim, theta = config.ropeTheta](int numPositions) {
        const RopeTable table = makeRopeTable(size, theta, numPositions, at::TensorOptions().dtype(at::kFloat));
        const auto toVector = [](const at::Tensor &tensor) {
            const float *values = tensor.const_data_ptr<float>();
            return std::vector<float>(values, values + tensor.numel());
        };
        return cpu::RopeRows{toVector(table.cos_PD), toVector(table.sin_PD)};
    };
}

Result<std::unique_ptr<BlockModel>> loadCpuModel(const std::filesystem::path &folder,
                                                 const formats::ModelConfig &config)
{
    const Result<formats::Weights> file = formats::Weights::openFolder(folder);
    if (!file)
        return tl::unexpected(file.error());
    Result<cpu::CpuWeights> weights = cpu::loadCpuWeights(*file, config);
    if (!weights)
        return tl::unexpected(weights.error());
    return std::make_unique<cpu::CpuModel>(config, std::move(*weights), ropeSourceOf(config));
}

Result<LoadedModel> load(const std::filesystem::path &folder, const std::string &deviceName,
                         const std::string &dtypeName)
{
    Result<formats::ModelConfig> config = formats::readModelConfig(folder);
    if (!config)
        return tl::unexpected(config.error());
    if (config->architecture != formats::Architecture::Sdar)
        return failure(ErrorCode::Unsupported,
                       folder.string() + ": models of type " + formats::toString(config->architecture)
                           + " cannot be run yet; supported: SDARForCausalLM");
    const Result<at::Device> device = deviceFromString(deviceName);
    if (!device)
        return tl::unexpected(device.error());
    const Result<at::ScalarType> dtype = dtypeFromString(dtypeName, *device, *config);
    if (!dtype)
        return tl::unexpected(dtype.error());
    if (device->is_cpu() && *dtype == at::kFloat) {
        Result<std::unique_ptr<BlockModel>> model = loadCpuModel(folder, *config);
        if (!model)
            return tl::unexpected(model.error());
        return LoadedModel{std::move(*config), std::move(*model)};
    }
    Result<std::unique_ptr<SdarModel>> model
        = loadTensorModel(folder, *config, at::TensorOptions().device(*device).dtype(*dtype));
    if (!model)
        return tl::unexpected(model.error());
    return LoadedModel{std::move(*config), std::move(*model)};
}

} // namespace

Result<at::Device> deviceFromString(const std::string &name)
{
    const bool hasCuda = torch::cuda::is_available();
    if (name == "cpu" || (name == "auto" && !hasCuda))
        return at::Device(at::kCPU);
    if (name == "auto")
        return at::Device(at::kCUDA, 0);
    const std::optional<int> number = deviceNumber(name);
    if (!number)
        return failure(ErrorCode::InvalidArgument, "unknown device '" + name + "'; use auto, cpu or cuda:N");
    if (!hasCuda)
        return failure(ErrorCode::InvalidArgument, "device " + name + " does not work here: no CUDA device was found");
    if (*number >= static_cast<int>(torch::cuda::device_count()))
        return failure(ErrorCode::InvalidArgument, "there is no device " + name + " on this machine");
    return at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(*number));
}

Result<at::ScalarType> dtypeFromString(const std::string &name, const at::Device &device,
                                       const formats::ModelConfig &config)
{
    if (name == "float32")
        return at::kFloat;
    if (name == "bfloat16")
        return at::kBFloat16;
    if (name == "auto")
        return device.is_cuda() && config.torchDtype == formats::DType::BF16 ? at::kBFloat16 : at::kFloat;
    return failure(ErrorCode::InvalidArgument, "unknown type '" + name + "'; use auto, float32 or bfloat16");
}

Result<LoadedModel> loadModel(const std::filesystem::path &folder, const std::string &device, const std::string &dtype)
{
    return guarded("loading the model in " + folder.string(), [&] { return load(folder, device, dtype); });
}

Result<std::unique_ptr<SdarModel>> loadTensorModel(const std::filesystem::path &folder,
                                                   const formats::ModelConfig &config, const at::TensorOptions &options)
{
    const Result<formats::Weights> file = formats::Weights::openFolder(folder);
    if (!file)
        return tl::unexpected(file.error());
    // Full float32 products: TensorFloat-32 would move logits by more than the parity bound.
    at::globalContext().setFloat32MatmulPrecision("highest");
    // cuDNN plans attention anew for every context length, and a generation's grows with each block.
    at::globalContext().setSDPUseCuDNN(false);
    const c10::InferenceMode inference;
    Result<ModelWeights> weights = loadModelWeights(*file, config, options);
    if (!weights)
        return tl::unexpected(weights.error());
    return std::make_unique<SdarModel>(config, std::move(*weights), options);
}

} // namespace dice::engine
