#include "hfconfig.h"

#include "textfile.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dice::formats {

namespace {

using nlohmann::json;

struct ArchitectureFact
{
    Architecture architecture;
    const char *className; // architectures[0]
    const char *modelType;
};

constexpr std::array<ArchitectureFact, 5> architectureFacts{{
    {Architecture::Sdar, "SDARForCausalLM", "sdar"},
    {Architecture::Qwen3, "Qwen3ForCausalLM", "qwen3"},
    {Architecture::Qwen2, "Qwen2ForCausalLM", "qwen2"},
    {Architecture::LLaDA, "LLaDAModelLM", "llada"},
    {Architecture::Dream, "DreamModel", "Dream"},
}};

// LLaDA's names for the same facts.
struct FieldNames
{
    const char *hiddenSize = "hidden_size";
    const char *numLayers = "num_hidden_layers";
    const char *numHeads = "num_attention_heads";
    const char *numKvHeads = "num_key_value_heads";
    const char *intermediateSize = "intermediate_size";
    const char *vocabSize = "vocab_size";
    const char *maxPositions = "max_position_embeddings";
    const char *tieWordEmbeddings = "tie_word_embeddings";
};

constexpr FieldNames lladaNames{.hiddenSize = "d_model",
                                .numLayers = "n_layers",
                                .numHeads = "n_heads",
                                .numKvHeads = "n_kv_heads",
                                .intermediateSize = "mlp_hidden_size",
                                .vocabSize = "embedding_size",
                                .maxPositions = "max_sequence_length",
                                .tieWordEmbeddings = "weight_tying"};

constexpr std::int64_t maxSize = std::int64_t{1} << 24; // of any size in a config: keeps products within 64 bits

class ConfigReader
{
public:
    explicit ConfigReader(const std::filesystem::path &folder)
        : m_folder(folder)
    {
    }
    Result<ModelConfig> read();

private:
    tl::unexpected<Error> wrong(const std::string &why) const
    {
        return failure(ErrorCode::InvalidData,
                       "model folder " + m_folder.string() + ": config.json " + why + "; download the folder again");
    }
    tl::unexpected<Error> unsupported(const std::string &what) const
    {
        return failure(ErrorCode::Unsupported,
                       "model folder " + m_folder.string() + ": config.json asks for " + what
                           + ", which this program cannot run");
    }
    Status readArchitecture();
    Status readSizes();
    Status readNumbers();
    Status readTokens();
    Status refuseUnknownForms() const;
    Status refuseUnknownLladaForms() const;
    Status checkTogether() const;

    const json *valueOf(const char *key) const;
    Status readSize(const char *key, std::int64_t &size) const;
    Result<std::optional<std::int32_t>> tokenId(const json &source, const char *key) const;
    Status readEos(const json &source);
    bool isLlada() const { return m_config.architecture == Architecture::LLaDA; }

    std::filesystem::path m_folder;
    json m_json;
    json m_generation = json::object();
    ModelConfig m_config;
};

const json *ConfigReader::valueOf(const char *key) const
{
    const auto found = m_json.find(key);
    return found == m_json.end() || found->is_null() ? nullptr : &*found;
}

Status ConfigReader::readArchitecture()
{
    const json *list = valueOf("architectures");
    std::string name;
    if (list && list->is_array() && !list->empty() && list->front().is_string())
        name = list->front().get<std::string>();
    const json *type = valueOf("model_type");
    const std::string modelType = type && type->is_string() ? type->get<std::string>() : std::string();
    if (name.empty() && modelType.empty())
        return wrong("has neither architectures nor model_type");
    for (const ArchitectureFact &fact : architectureFacts) {
        if (name == fact.className || (name.empty() && modelType == fact.modelType)) {
            m_config.architecture = fact.architecture;
            return {};
        }
    }
    return failure(ErrorCode::Unsupported,
                   "model folder " + m_folder.string() + " has the architecture " + (name.empty() ? modelType : name)
                       + "; choose one of an SDAR or DICE model");
}

Status ConfigReader::readSize(const char *key, std::int64_t &size) const
{
    const json *value = valueOf(key);
    if (!value)
        return wrong(std::string("has no ") + key);
    if (!value->is_number_integer() || value->get<std::int64_t>() < 1 || value->get<std::int64_t>() > maxSize)
        return wrong(std::string("has an impossible ") + key + " (" + value->dump() + ")");
    size = value->get<std::int64_t>();
    return {};
}

Status ConfigReader::readSizes()
{
    const FieldNames names = isLlada() ? lladaNames : FieldNames{};
    const std::array<std::pair<const char *, std::int64_t *>, 5> needed{{
        {names.hiddenSize, &m_config.hiddenSize},
        {names.numLayers, &m_config.numLayers},
        {names.numHeads, &m_config.numHeads},
        {names.intermediateSize, &m_config.intermediateSize},
        {names.vocabSize, &m_config.vocabSize},
    }};
    for (const auto &[key, size] : needed) {
        const bool hasSubstitute = isLlada() && !valueOf(key) && std::string_view(key) == lladaNames.vocabSize;
        if (const Status status = readSize(hasSubstitute ? "vocab_size" : key, *size); !status)
            return status;
    }
    m_config.numKvHeads = m_config.numHeads;
    if (valueOf(names.numKvHeads)) {
        if (const Status status = readSize(names.numKvHeads, m_config.numKvHeads); !status)
            return status;
    }
    m_config.headDim = m_config.hiddenSize / m_config.numHeads;
    if (valueOf("head_dim"))
        return readSize("head_dim", m_config.headDim);
    if (m_config.hiddenSize % m_config.numHeads != 0)
        return wrong("has no head_dim, and its heads do not divide the hidden size");
    return {};
}

Status ConfigReader::readNumbers()
{
    const FieldNames names = isLlada() ? lladaNames : FieldNames{};
    const json *epsilon = valueOf("rms_norm_eps");
    if (!epsilon || !epsilon->is_number() || epsilon->get<double>() <= 0 || epsilon->get<double>() > 1)
        return wrong("has no usable rms_norm_eps");
    m_config.rmsNormEps = epsilon->get<double>();

    const json *theta = valueOf("rope_theta");
    const json *ropeParameters = valueOf("rope_parameters"); // where newer files keep it
    if (!theta && ropeParameters && ropeParameters->is_object() && ropeParameters->contains("rope_theta"))
        theta = &(*ropeParameters)["rope_theta"];
    if (!theta || !theta->is_number() || theta->get<double>() <= 1)
        return wrong("has no usable rope_theta");
    m_config.ropeTheta = theta->get<double>();

    if (const Status status = readSize(names.maxPositions, m_config.maxPositions); !status)
        return status;
    const auto flag = [&](const char *key) {
        const json *value = valueOf(key);
        return value && value->is_boolean() && value->get<bool>();
    };
    m_config.tieWordEmbeddings = flag(names.tieWordEmbeddings);
    m_config.hasQkNorm = m_config.architecture == Architecture::Sdar || m_config.architecture == Architecture::Qwen3;
    m_config.attentionBias = m_config.architecture == Architecture::Qwen2
        || m_config.architecture == Architecture::Dream || flag("attention_bias") || flag("include_qkv_bias");

    const json *dtype = valueOf("torch_dtype") ? valueOf("torch_dtype") : valueOf("dtype");
    if (dtype && *dtype == "bfloat16")
        m_config.torchDtype = DType::BF16;
    else if (dtype && *dtype == "float16")
        m_config.torchDtype = DType::F16;

    if (const json *own = valueOf("dice"); own && own->is_object())
        m_config.padPromptToBlock = own->contains("pad_prompt_to_block") && (*own)["pad_prompt_to_block"] == true;
    if (!m_config.isBlockDiffusion())
        return {};
    return readSize(valueOf("block_size") || !valueOf("block_length") ? "block_size" : "block_length",
                    m_config.blockLength);
}

Result<std::optional<std::int32_t>> ConfigReader::tokenId(const json &source, const char *key) const
{
    const auto found = source.find(key);
    if (found == source.end() || found->is_null())
        return std::optional<std::int32_t>();
    if (!found->is_number_integer() || found->get<std::int64_t>() < 0
        || found->get<std::int64_t>() >= m_config.vocabSize)
        return wrong(std::string("or generation_config.json has a ") + key + " outside the vocabulary (" + found->dump()
                     + ")");
    return std::optional<std::int32_t>(found->get<std::int32_t>());
}

Status ConfigReader::readEos(const json &source)
{
    const auto found = source.find("eos_token_id");
    if (found == source.end() || found->is_null())
        return {};
    const json list = found->is_array() ? *found : json::array({*found});
    for (const json &entry : list) {
        const auto id = tokenId(json{{"eos_token_id", entry}}, "eos_token_id");
        if (!id)
            return tl::unexpected(id.error());
        if (*id
            && std::find(m_config.eosTokenIds.begin(), m_config.eosTokenIds.end(), **id) == m_config.eosTokenIds.end())
            m_config.eosTokenIds.push_back(**id);
    }
    return {};
}

Status ConfigReader::readTokens()
{
    const std::array<std::pair<const char *, std::optional<std::int32_t> *>, 3> ids{{
        {"mask_token_id", &m_config.maskTokenId},
        {"bos_token_id", &m_config.bosTokenId},
        {"pad_token_id", &m_config.padTokenId},
    }};
    for (const auto &[key, id] : ids) {
        for (const json *source : {&m_json, &m_generation}) { // generation_config.json has the last word
            const auto value = tokenId(*source, key);
            if (!value)
                return tl::unexpected(value.error());
            if (*value)
                *id = *value;
        }
    }
    if (m_config.isDiffusion() && !m_config.maskTokenId)
        return wrong("has no mask_token_id");
    if (const Status status = readEos(m_generation); !status)
        return status;
    return readEos(m_json);
}

Status ConfigReader::refuseUnknownForms() const
{
    if (isLlada())
        return refuseUnknownLladaForms();
    const json *activation = valueOf("hidden_act");
    if (activation && *activation != "silu")
        return unsupported("the activation " + activation->dump());
    if (const json *scaling = valueOf("rope_scaling"))
        return unsupported("rope_scaling " + scaling->dump());
    if (const json *parameters = valueOf("rope_parameters");
        parameters && parameters->is_object() && parameters->value("rope_type", json("default")) != "default")
        return unsupported("rope_parameters " + parameters->dump());
    if (const json *sliding = valueOf("use_sliding_window"); sliding && *sliding == true)
        return unsupported("a sliding attention window");
    return {};
}

Status ConfigReader::refuseUnknownLladaForms() const
{
    const std::pair<const char *, json> known[] = {{"activation_type", "silu"},     {"alibi", false},
                                                   {"attention_layer_norm", false}, {"bias_for_layer_norm", false},
                                                   {"block_group_size", 1},         {"block_type", "llama"},
                                                   {"include_bias", false},         {"input_emb_norm", false},
                                                   {"layer_norm_type", "rms"},      {"rope", true},
                                                   {"scale_logits", false}};
    for (const auto &[key, expected] : known) {
        if (const json *value = valueOf(key); value && *value != expected)
            return unsupported(std::string(key) + " " + value->dump());
    }
    return {};
}

Status ConfigReader::checkTogether() const
{
    if (m_config.numHeads % m_config.numKvHeads != 0)
        return wrong("has key-value heads that do not divide the heads");
    if (m_config.headDim % 2 != 0)
        return wrong("has an odd head_dim, which rotary positions cannot split");
    return {};
}

Result<ModelConfig> ConfigReader::read()
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(m_folder, ignored)) {
        return failure(ErrorCode::NotFound, "model folder " + m_folder.string() + " does not exist; check its path");
    }
    if (!std::filesystem::exists(m_folder / "config.json", ignored)) {
        return failure(ErrorCode::NotFound,
                       "model folder " + m_folder.string()
                           + " has no config.json; choose a folder in Hugging Face's layout");
    }
    auto config = readJsonFile(m_folder / "config.json", "model configuration");
    if (!config)
        return tl::unexpected(config.error());
    m_json = std::move(*config);
    if (!m_json.is_object())
        return wrong("is not an object");
    if (std::filesystem::exists(m_folder / "generation_config.json", ignored)) {
        auto generation = readJsonFile(m_folder / "generation_config.json", "generation settings");
        if (!generation)
            return tl::unexpected(generation.error());
        if (generation->is_object())
            m_generation = std::move(*generation);
    }
    using Step = Status (ConfigReader::*)();
    for (const Step step : {&ConfigReader::readArchitecture, &ConfigReader::readSizes, &ConfigReader::readNumbers,
                            &ConfigReader::readTokens}) {
        if (const Status status = (this->*step)(); !status)
            return tl::unexpected(status.error());
    }
    Status status = refuseUnknownForms();
    if (status)
        status = checkTogether();
    if (!status)
        return tl::unexpected(status.error());
    return m_config;
}

} // namespace

const char *toString(Architecture architecture)
{
    const auto found = std::find_if(architectureFacts.begin(), architectureFacts.end(),
                                    [&](const ArchitectureFact &fact) { return fact.architecture == architecture; });
    return found->className;
}

Result<ModelConfig> readModelConfig(const std::filesystem::path &folder)
{
    return ConfigReader(folder).read();
}

} // namespace dice::formats
