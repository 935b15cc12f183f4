#include "chattemplate.h"

#include "templateinterpreter.h"
#include "textfile.h"

#include <utility>

namespace dice::formats {

struct ChatTemplate::Program
{
    std::vector<Statement> statements;
};

namespace {

using nlohmann::ordered_json;

// "eos_token" is a text, or an object with a content.
void copyToken(const ordered_json &config, const char *key, ordered_json &variables)
{
    const auto found = config.is_object() ? config.find(key) : config.end();
    if (found == config.end())
        return;
    if (found->is_string())
        variables[key] = *found;
    else if (found->is_object() && found->contains("content") && (*found)["content"].is_string())
        variables[key] = (*found)["content"];
}

Result<std::string> templateSource(const std::filesystem::path &folder, const ordered_json &config)
{
    std::error_code ignored;
    if (std::filesystem::exists(folder / "chat_template.jinja", ignored))
        return readTextFile(folder / "chat_template.jinja", "chat template");
    const auto found = config.is_object() ? config.find("chat_template") : config.end();
    if (found != config.end() && found->is_string())
        return found->get<std::string>();
    if (found != config.end() && found->is_array()) {
        for (const ordered_json &entry : *found) { // several named ones: the default is the one for chat
            if (entry.is_object() && entry.value("name", ordered_json()) == "default" && entry.contains("template")
                && entry["template"].is_string())
                return entry["template"].get<std::string>();
        }
    }
    return failure(
        ErrorCode::NotFound,
        "model folder " + folder.string()
            + " has no chat template (chat_template.jinja, or chat_template in tokenizer_config.json); choose "
              "a folder of an instruction-tuned model");
}

} // namespace

Result<ChatTemplate> ChatTemplate::parse(std::string source)
{
    try {
        auto program = std::make_shared<Program>();
        program->statements = parseTemplate(source);
        ChatTemplate result;
        result.m_program = std::move(program);
        return result;
    } catch (const TemplateFailure &refused) {
        return tl::unexpected(refused.error);
    }
}

Result<ChatTemplate> ChatTemplate::fromFolder(const std::filesystem::path &folder)
{
    ordered_json config = ordered_json::object();
    std::error_code ignored;
    if (std::filesystem::exists(folder / "tokenizer_config.json", ignored)) {
        auto content = readOrderedJsonFile(folder / "tokenizer_config.json", "tokenizer settings");
        if (!content)
            return tl::unexpected(content.error());
        config = std::move(*content);
    }
    auto source = templateSource(folder, config);
    if (!source)
        return tl::unexpected(source.error());
    auto result = parse(std::move(*source));
    if (result) {
        for (const char *key : {"bos_token", "eos_token", "pad_token", "unk_token"})
            copyToken(config, key, result->m_tokenVariables);
    }
    return result;
}

Result<std::string> ChatTemplate::render(const ordered_json &variables) const
{
    try {
        ordered_json all = m_tokenVariables;
        all.update(variables);
        return interpretTemplate(m_program->statements, all);
    } catch (const TemplateFailure &refused) {
        return tl::unexpected(refused.error);
    } catch (const nlohmann::json::exception &error) {
        return failure(ErrorCode::InvalidData, "the messages do not fit the model's chat template", error.what());
    }
}

Result<std::string> ChatTemplate::renderPrompt(const std::vector<ChatMessage> &messages,
                                               std::optional<bool> enableThinking) const
{
    ordered_json variables = {{"messages", ordered_json::array()}, {"add_generation_prompt", true}};
    for (const ChatMessage &message : messages)
        variables["messages"].push_back({{"role", message.role}, {"content", message.content}});
    if (enableThinking)
        variables["enable_thinking"] = *enableThinking;
    return render(variables);
}

} // namespace dice::formats
