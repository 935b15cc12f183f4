#include "bpetrainer.h"

#include "textfile.h"
#include "utf8.h"

#include <algorithm>

namespace dice::formats {

namespace {

using nlohmann::ordered_json;

ordered_json addedToken(const std::string &content)
{
    return {{"content", content}, {"single_word", false}, {"lstrip", false},
            {"rstrip", false},    {"normalized", false},  {"special", true}};
}

std::string quoted(const std::string &text)
{
    return ordered_json(text).dump();
}

// Written by hand: an ordered_json looks its keys up one by one, too slow for a large vocabulary.
std::string modelText(const BpeModel &model)
{
    std::string text = R"({"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":null,)"
                       R"("end_of_word_suffix":null,"fuse_unk":false,"byte_fallback":false,"ignore_merges":false,)";
    text += "\"vocab\":{";
    for (std::size_t id = 0; id < model.tokens.size(); ++id) {
        text += id == 0 ? "\n" : ",\n";
        text += quoted(bytesToAlphabet(model.tokens[id])) + ":" + std::to_string(id);
    }
    text += "},\n\"merges\":[";
    for (std::size_t rank = 0; rank < model.merges.size(); ++rank) {
        const auto [left, right] = model.merges[rank];
        text += rank == 0 ? "\n" : ",\n";
        text += quoted(bytesToAlphabet(model.tokens[static_cast<std::size_t>(left)]) + " "
                       + bytesToAlphabet(model.tokens[static_cast<std::size_t>(right)]));
    }
    return text + "]}";
}

std::string tokenizerText(const BpeModel &model, const BpeTrainerOptions &options)
{
    const ordered_json byteLevel
        = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", false}};
    const ordered_json split = {
        {"type", "Split"}, {"pattern", {{"Regex", options.splitPattern}}}, {"behavior", "Isolated"}, {"invert", false}};
    ordered_json added = ordered_json::array();
    for (std::size_t i = 0; i < options.specialTokens.size(); ++i) {
        ordered_json entry = {{"id", model.tokens.size() + i}};
        entry.update(addedToken(options.specialTokens[i]));
        added.push_back(std::move(entry));
    }
    const ordered_json preTokenizer
        = {{"type", "Sequence"}, {"pretokenizers", ordered_json::array({split, byteLevel})}};
    return "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\n\"added_tokens\":" + added.dump()
        + ",\n\"normalizer\":null,\n\"pre_tokenizer\":" + preTokenizer.dump()
        + ",\n\"post_processor\":null,\n\"decoder\":" + byteLevel.dump() + ",\n\"model\":" + modelText(model) + "}\n";
}

std::string settingsText(const BpeModel &model, const BpeTrainerOptions &options, const TokenizerSettings &settings)
{
    ordered_json decoder = ordered_json::object();
    for (std::size_t i = 0; i < options.specialTokens.size(); ++i)
        decoder[std::to_string(model.tokens.size() + i)] = addedToken(options.specialTokens[i]);
    ordered_json json = {{"add_prefix_space", false},
                         {"added_tokens_decoder", decoder},
                         {"clean_up_tokenization_spaces", false},
                         {"tokenizer_class", "PreTrainedTokenizerFast"}};
    const std::pair<const char *, const std::string &> named[] = {{"eos_token", settings.eosToken},
                                                                  {"pad_token", settings.padToken},
                                                                  {"mask_token", settings.maskToken},
                                                                  {"chat_template", settings.chatTemplate}};
    for (const auto &[key, value] : named) {
        if (!value.empty())
            json[key] = value;
    }
    constexpr int indent = 2;
    return json.dump(indent) + "\n";
}

} // namespace

Status writeTokenizer(const std::filesystem::path &folder, const BpeModel &model, const BpeTrainerOptions &options,
                      const TokenizerSettings &settings)
{
    for (const std::string &token : {settings.eosToken, settings.padToken, settings.maskToken}) {
        const auto &known = options.specialTokens;
        if (!token.empty() && std::find(known.begin(), known.end(), token) == known.end())
            return failure(ErrorCode::InvalidArgument,
                           "token " + token + " is not one of the tokenizer's special tokens");
    }
    if (const Status status = replaceFile(folder / "tokenizer.json", tokenizerText(model, options)); !status)
        return status;
    return replaceFile(folder / "tokenizer_config.json", settingsText(model, options, settings));
}

} // namespace dice::formats
