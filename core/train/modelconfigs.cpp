#include "modelconfigs.h"

#include "core/formats/tokenizer.h"
#include "core/train/specialtokens.h"

namespace dice::train {

namespace {

constexpr std::int64_t vocabularyMultiple = 64; // matrix products want aligned sizes
constexpr std::int64_t defaultMaxPositions = 8192;

} // namespace

Result<formats::ModelConfig> newModelConfig(const ModelShape &shape, const std::filesystem::path &tokenizerFolder)
{
    const Result<formats::Tokenizer> tokenizer = formats::Tokenizer::fromFolder(tokenizerFolder);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    for (const char *token : {maskToken, padToken, turnEndToken}) {
        if (!tokenizer->idOf(token))
            return failure(ErrorCode::InvalidArgument,
                           "the tokenizer in " + tokenizerFolder.string() + " has no token " + token
                               + "; make one with `dice data synth`");
    }
    formats::ModelConfig config;
    config.architecture = formats::Architecture::Sdar;
    config.hiddenSize = shape.hiddenSize;
    config.numLayers = shape.numLayers;
    config.numHeads = shape.numHeads;
    config.numKvHeads = shape.numKvHeads;
    config.headDim = shape.headDim;
    config.intermediateSize = shape.intermediateSize;
    config.vocabSize = (tokenizer->size() + vocabularyMultiple - 1) / vocabularyMultiple * vocabularyMultiple;
    config.ropeTheta = shape.ropeTheta;
    config.maxPositions = defaultMaxPositions;
    config.tieWordEmbeddings = true;
    config.hasQkNorm = true;
    config.blockLength = shape.blockLength;
    config.padPromptToBlock = true;
    config.torchDtype = formats::DType::BF16;
    config.maskTokenId = tokenizer->idOf(maskToken);
    config.padTokenId = tokenizer->idOf(padToken);
    config.eosTokenIds = {*tokenizer->idOf(turnEndToken)};
    return config;
}

Result<formats::ModelConfig> readTrainableConfig(const std::filesystem::path &modelFolder)
{
    Result<formats::ModelConfig> config = formats::readModelConfig(modelFolder);
    if (!config)
        return config;
    if (!config->isBlockDiffusion() || config->blockLength < 1)
        return failure(ErrorCode::Unsupported,
                       "the model in " + modelFolder.string() + " is no block-diffusion model; training needs one");
    if (!config->maskTokenId || !config->padTokenId || config->eosTokenIds.empty())
        return failure(ErrorCode::InvalidData,
                       "the model in " + modelFolder.string() + " names no mask, pad or end token in its config.json");
    return config;
}

} // namespace dice::train
