#include "modelinfo.h"

namespace dice {

Json toJson(const ModelInfo &info)
{
    return {{"name", info.name}, {"folder", info.folder}, {"architecture", info.architecture},
            {"num_parameters", info.numParameters}, {"num_layers", info.numLayers}, {"hidden_size", info.hiddenSize},
            {"vocab_size", info.vocabSize}, {"block_length", info.blockLength}, {"size_bytes", info.sizeBytes},
            {"dtype", info.dtype}, {"card", info.card}};
}

Result<ModelInfo> modelInfoFromJson(const Json &json)
{
    return decodeJson<ModelInfo>(json, "model information", [](const Json &from) -> Result<ModelInfo> {
        ModelInfo info;
        from.at("name").get_to(info.name);
        from.at("folder").get_to(info.folder);
        from.at("architecture").get_to(info.architecture);
        from.at("num_parameters").get_to(info.numParameters);
        from.at("num_layers").get_to(info.numLayers);
        from.at("hidden_size").get_to(info.hiddenSize);
        from.at("vocab_size").get_to(info.vocabSize);
        from.at("block_length").get_to(info.blockLength);
        from.at("size_bytes").get_to(info.sizeBytes);
        from.at("dtype").get_to(info.dtype);
        from.at("card").get_to(info.card);
        return info;
    });
}

} // namespace dice
