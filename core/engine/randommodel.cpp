#include "randommodel.h"

#include "core/engine/randomgenerator.h"
#include "core/engine/weightnames.h"
#include "core/formats/bpetrainer.h"
#include "core/formats/safetensors.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

namespace dice::engine {

namespace {

constexpr std::int32_t numByteTokens = 256; // the special tokens stand directly behind

constexpr const char *chatTemplate
    = "{% for message in messages %}<|im_start|>{{ message.content }}<|im_end|>{% endfor %}"
      "{% if add_generation_prompt %}<|im_start|>{% endif %}";

std::uint16_t toBFloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16); // to nearest even
}

// Norms around 1; matrices with the variance that keeps activations near 1, so that logits differ well.
std::vector<float> randomValues(const WeightSpec &spec, RandomGenerator &random)
{
    const auto count = std::accumulate(spec.shape.begin(), spec.shape.end(), std::int64_t{1}, std::multiplies<>());
    const bool isNorm = spec.shape.size() == 1;
    const double width = isNorm ? 0.1 : std::sqrt(3.0 / static_cast<double>(spec.shape.back()));
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float &value : values)
        value = static_cast<float>((isNorm ? 1.0 : 0.0) + width * (2.0 * random.uniform() - 1.0));
    return values;
}

std::vector<std::byte> toBytes(const std::vector<float> &values, formats::DType type)
{
    std::vector<std::byte> bytes(values.size() * formats::itemSize(type));
    if (type == formats::DType::F32) {
        std::memcpy(bytes.data(), values.data(), bytes.size());
        return bytes;
    }
    std::vector<std::uint16_t> narrow;
    for (const float value : values)
        narrow.push_back(toBFloat16(value));
    std::memcpy(bytes.data(), narrow.data(), bytes.size());
    return bytes;
}

Status writeWeights(const std::filesystem::path &folder, const formats::ModelConfig &config, std::uint64_t seed)
{
    RandomGenerator random(seed);
    std::vector<std::vector<std::byte>> storage;
    std::vector<formats::TensorView> views;
    for (const WeightSpec &spec : allWeightSpecs(config)) {
        storage.push_back(toBytes(randomValues(spec, random), config.torchDtype));
        views.push_back({spec.name, config.torchDtype, spec.shape, storage.back()});
    }
    return formats::writeSafetensors(folder / "model.safetensors", views);
}

Status writeByteTokenizer(const std::filesystem::path &folder)
{
    formats::BpeModel model;
    for (int byte = 0; byte < numByteTokens; ++byte)
        model.tokens.emplace_back(1, static_cast<char>(byte));
    formats::BpeTrainerOptions options;
    options.splitPattern = formats::codeSplitPattern({});
    options.specialTokens = {"<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|MASK|>"};
    options.vocabSize = numByteTokens + static_cast<std::int32_t>(options.specialTokens.size());
    return formats::writeTokenizer(folder, model, options, {"<|im_end|>", "<|endoftext|>", "<|MASK|>", chatTemplate});
}

void nameSpecialTokens(formats::ModelConfig &config)
{
    config.bosTokenId = config.padTokenId = numByteTokens;
    config.eosTokenIds = {numByteTokens + 2, numByteTokens};
    config.maskTokenId = numByteTokens + 3;
}

} // namespace

formats::ModelConfig tinyModelConfig()
{
    formats::ModelConfig config;
    config.architecture = formats::Architecture::Sdar;
    config.hiddenSize = 32;
    config.numLayers = 2;
    config.numHeads = 4;
    config.numKvHeads = 2;
    config.headDim = 16;
    config.intermediateSize = 48;
    config.vocabSize = 272;
    config.ropeTheta = 1e4;
    config.maxPositions = 4096;
    config.hasQkNorm = true;
    config.blockLength = 4;
    nameSpecialTokens(config);
    return config;
}

formats::ModelConfig nanoModelConfig()
{
    formats::ModelConfig config = tinyModelConfig();
    config.hiddenSize = 320;
    config.numLayers = 8;
    config.numHeads = 5;
    config.numKvHeads = 5;
    config.headDim = 64;
    config.intermediateSize = 896;
    config.vocabSize = 2560;
    config.tieWordEmbeddings = true;
    config.blockLength = 8;
    config.padPromptToBlock = true;
    config.torchDtype = formats::DType::BF16;
    return config;
}

Status makeRandomModel(const std::filesystem::path &folder, const formats::ModelConfig &config, std::uint64_t seed)
{
    if (const Status status = formats::writeModelConfig(folder, config); !status)
        return status;
    if (const Status status = writeByteTokenizer(folder); !status)
        return status;
    return writeWeights(folder, config, seed);
}

} // namespace dice::engine
