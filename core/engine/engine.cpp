#include "engine.h"

#include "core/engine/modelfolder.h"
#include "core/engine/modelloader_torch.h"
#include "core/engine/tokentexts.h"
#include "core/engine/torchborder.h"
#include "core/formats/chattemplate.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace dice::engine {

struct Engine::Parts
{
    ModelInfo info;
    LoadedModel loaded;
    TokenTexts texts;
    std::optional<formats::ChatTemplate> chatTemplate; // absent: the message is the prompt

    Result<Answer> decode(std::span<const TokenId> prompt, BlockDecoding decoding, const CanvasCallback &callback);
    std::string textOf(const Generation &generation) const;
};

namespace {

constexpr std::int64_t maxBlockLength = 1024; // tokens; the largest a request may ask for too

std::vector<TokenId> toTokenIds(const std::vector<std::int32_t> &ids)
{
    return {ids.begin(), ids.end()};
}

// The model's own block length and one step a token where the request leaves them open.
BlockDecoding resolve(const DecodingOptions &options, const formats::ModelConfig &config, ForwardPlan plan)
{
    BlockDecoding decoding;
    decoding.blockLength = options.blockLength > 0 ? options.blockLength : static_cast<int>(config.blockLength);
    decoding.numSteps = options.stepsPerBlock > 0 ? options.stepsPerBlock : decoding.blockLength;
    decoding.rule = {options.strategy, options.threshold, options.entropyBound};
    const bool isGreedy = options.temperature == 0.0;
    decoding.chooser.sampling = isGreedy ? Sampling::Greedy : Sampling::Random;
    decoding.chooser.logits.temperature = isGreedy ? 1.0 : options.temperature;
    decoding.chooser.logits.topK = options.topK;
    decoding.chooser.logits.topP = options.topP;
    decoding.chooser.maskToken = TokenId(*config.maskTokenId);
    decoding.seed = options.seed;
    decoding.maxNewTokens = options.maxNewTokens;
    decoding.stopTokens = toTokenIds(config.eosTokenIds);
    decoding.plan = plan;
    return decoding;
}

// What a request asks that the model was not made for.
std::vector<std::string> settingWarnings(const BlockDecoding &decoding, const formats::ModelConfig &config)
{
    std::vector<std::string> warnings;
    if (decoding.blockLength != config.blockLength)
        warnings.push_back("block length " + std::to_string(decoding.blockLength) + " was asked for, but the model was "
                           + "trained with " + std::to_string(config.blockLength));
    return warnings;
}

Status checkParts(const std::filesystem::path &folder, const formats::ModelConfig &config,
                  const formats::Tokenizer &tokenizer)
{
    if (tokenizer.size() > config.vocabSize)
        return failure(ErrorCode::InvalidData,
                       folder.string() + ": the tokenizer has " + std::to_string(tokenizer.size())
                           + " tokens, but the model only " + std::to_string(config.vocabSize)
                           + "; the folder mixes files of two models");
    const auto isInside = [&](std::int32_t id) { return id >= 0 && id < config.vocabSize; };
    if (!config.maskTokenId || !isInside(*config.maskTokenId))
        return failure(ErrorCode::InvalidData,
                       folder.string() + "/config.json: mask_token_id is missing or not a "
                           + "token of the vocabulary");
    if (config.blockLength < 1 || config.blockLength > maxBlockLength)
        return failure(ErrorCode::InvalidData,
                       folder.string() + "/config.json: block_size must be between 1 and "
                           + std::to_string(maxBlockLength));
    if (config.padPromptToBlock && !(config.padTokenId && isInside(*config.padTokenId)))
        return failure(ErrorCode::InvalidData,
                       folder.string() + "/config.json: dice.pad_prompt_to_block needs a pad_token_id");
    return {};
}

// NotFound alone means "no template": a template that does not parse is a fault of the folder.
Result<std::optional<formats::ChatTemplate>> readTemplate(const std::filesystem::path &folder)
{
    Result<formats::ChatTemplate> chatTemplate = formats::ChatTemplate::fromFolder(folder);
    if (chatTemplate)
        return std::optional(std::move(*chatTemplate));
    if (chatTemplate.error().code == ErrorCode::NotFound)
        return std::optional<formats::ChatTemplate>();
    return tl::unexpected(chatTemplate.error());
}

} // namespace

void setNumThreads(int numThreads)
{
    const int numCores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    at::set_num_threads(numThreads > 0 ? numThreads : numCores);
}

Engine::Engine(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}
Engine::Engine(Engine &&) noexcept = default;
Engine &Engine::operator=(Engine &&) noexcept = default;
Engine::~Engine() = default;

Result<Engine> Engine::load(const LoadOptions &options)
{
    Result<ModelInfo> info = readModelInfo(options.folder);
    if (!info)
        return tl::unexpected(info.error());
    Result<formats::Tokenizer> tokenizer = formats::Tokenizer::fromFolder(options.folder);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    Result<std::optional<formats::ChatTemplate>> chatTemplate = readTemplate(options.folder);
    if (!chatTemplate)
        return tl::unexpected(chatTemplate.error());
    Result<LoadedModel> loaded = loadModel(options.folder, options.device, options.dtype);
    if (!loaded)
        return tl::unexpected(loaded.error());
    const Status status = checkParts(options.folder, loaded->config, *tokenizer);
    if (!status)
        return tl::unexpected(status.error());
    return Engine(std::make_unique<Parts>(
        Parts{std::move(*info), std::move(*loaded), TokenTexts(std::move(*tokenizer)), std::move(*chatTemplate)}));
}

const ModelInfo &Engine::info() const
{
    return m_parts->info;
}

Result<std::vector<TokenId>> Engine::promptTokens(const std::string &message) const
{
    std::string text = message;
    if (m_parts->chatTemplate) {
        const Result<std::string> rendered = m_parts->chatTemplate->renderPrompt({{"user", message}});
        if (!rendered)
            return tl::unexpected(rendered.error());
        text = *rendered;
    }
    std::vector<TokenId> tokens = toTokenIds(m_parts->texts.tokenizer().encode(text));
    const formats::ModelConfig &config = m_parts->loaded.config;
    if (config.padPromptToBlock) {
        const auto length = static_cast<std::size_t>(config.blockLength);
        const std::size_t numPads = (length - tokens.size() % length) % length;
        tokens.insert(tokens.begin(), numPads, TokenId(*config.padTokenId));
    }
    return tokens;
}

Result<Answer> Engine::generate(const GenerateRequest &request, const CanvasCallback &callback, ForwardPlan plan)
{
    const Result<std::vector<TokenId>> prompt = promptTokens(request.prompt);
    if (!prompt)
        return tl::unexpected(prompt.error());
    return generateFromTokens(*prompt, request.decoding, callback, plan);
}

Result<Answer> Engine::generateFromTokens(std::span<const TokenId> prompt, const DecodingOptions &options,
                                          const CanvasCallback &callback, ForwardPlan plan)
{
    if (const Status status = validate(options); !status)
        return tl::unexpected(status.error());
    const formats::ModelConfig &config = m_parts->loaded.config;
    for (const TokenId token : prompt) {
        if (token.value < 0 || token.value >= config.vocabSize)
            return failure(ErrorCode::InvalidArgument,
                           "prompt: token id " + std::to_string(token.value) + " is not in the vocabulary");
    }
    BlockDecoding decoding = resolve(options, config, plan);
    const std::int64_t room = config.maxPositions - static_cast<std::int64_t>(prompt.size()) - decoding.blockLength;
    if (config.maxPositions > 0 && room < 1)
        return failure(ErrorCode::InvalidArgument,
                       "the prompt has " + std::to_string(prompt.size()) + " tokens, the model has room for "
                           + std::to_string(config.maxPositions) + "; shorten the module");
    if (config.maxPositions > 0)
        decoding.maxNewTokens = static_cast<int>(std::min<std::int64_t>(decoding.maxNewTokens, room));
    return guarded("generating with model " + m_parts->info.name,
                   [&] { return m_parts->decode(prompt, std::move(decoding), callback); });
}

Result<Answer> Engine::Parts::decode(std::span<const TokenId> prompt, BlockDecoding decoding,
                                     const CanvasCallback &callback)
{
    BlockStepCallback onStep;
    const int answerStart = static_cast<int>(prompt.size());
    if (callback)
        onStep = [&](const BlockStep &step) { return callback(makeCanvasStep(step, answerStart, texts)); };
    Answer answer;
    const auto start = std::chrono::steady_clock::now();
    answer.generation = BlockDecoder(*loaded.model, decoding, onStep).generate(prompt);
    answer.result.durationNs = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    const Generation &generation = answer.generation;
    answer.result.text = textOf(generation);
    answer.result.numPromptTokens = answerStart;
    answer.result.numTokens
        = static_cast<int>(generation.tokens.size()) - (generation.stopReason == StopReason::StopToken ? 1 : 0);
    answer.result.numForwards = generation.numForwards;
    answer.result.stopReason = generation.stopReason;
    answer.result.warnings = settingWarnings(decoding, loaded.config);
    answer.result.warnings.insert(answer.result.warnings.end(), generation.warnings.begin(), generation.warnings.end());
    return answer;
}

std::string Engine::Parts::textOf(const Generation &generation) const
{
    std::vector<std::int32_t> ids;
    for (const TokenId token : generation.tokens)
        ids.push_back(token.value);
    if (generation.stopReason == StopReason::StopToken)
        ids.pop_back();
    return texts.tokenizer().decode(ids, formats::SpecialTokens::Skip);
}

} // namespace dice::engine
