#include "modelfolder.h"

#include "core/formats/hfconfig.h"
#include "core/formats/safetensors.h"

#include <algorithm>
#include <fstream>

namespace dice::engine {

namespace {

constexpr std::size_t maxCardBytes = 64 * 1024;

std::string readCard(const std::filesystem::path &folder)
{
    std::ifstream file(folder / "README.md", std::ios::binary);
    std::string card(maxCardBytes, '\0');
    file.read(card.data(), static_cast<std::streamsize>(card.size()));
    card.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return card;
}

std::string folderName(const std::filesystem::path &folder)
{
    const std::filesystem::path plain = std::filesystem::absolute(folder).lexically_normal();
    return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

std::string familyName(formats::Architecture architecture)
{
    switch (architecture) {
    case formats::Architecture::Sdar:
        return "sdar";
    case formats::Architecture::Qwen3:
        return "qwen3";
    case formats::Architecture::Qwen2:
        return "qwen2";
    case formats::Architecture::LLaDA:
        return "llada";
    case formats::Architecture::Dream:
        return "dream";
    }
    return {};
}

std::string typeName(formats::DType type)
{
    switch (type) {
    case formats::DType::F32:
        return "float32";
    case formats::DType::BF16:
        return "bfloat16";
    case formats::DType::F16:
        return "float16";
    default:
        return formats::toString(type);
    }
}

} // namespace

Result<ModelInfo> readModelInfo(const std::filesystem::path &folder)
{
    const Result<formats::ModelConfig> config = formats::readModelConfig(folder);
    if (!config)
        return tl::unexpected(config.error());
    const Result<formats::Weights> weights = formats::Weights::openFolder(folder);
    if (!weights)
        return tl::unexpected(weights.error());
    ModelInfo info;
    info.name = folderName(folder);
    info.folder = folder.string();
    info.architecture = familyName(config->architecture);
    info.numLayers = static_cast<int>(config->numLayers);
    info.hiddenSize = static_cast<int>(config->hiddenSize);
    info.vocabSize = static_cast<int>(config->vocabSize);
    info.blockLength = static_cast<int>(config->blockLength);
    for (const formats::TensorView &tensor : weights->tensors()) {
        info.numParameters += tensor.elementCount();
        info.sizeBytes += static_cast<std::int64_t>(tensor.bytes.size());
        const std::string type = typeName(tensor.dtype);
        info.dtype = info.dtype.empty() || info.dtype == type ? type : "mixed";
    }
    info.card = readCard(folder);
    return info;
}

} // namespace dice::engine
