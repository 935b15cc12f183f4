// Turns messages into a prompt by a model's own Jinja chat template. A small interpreter for the forms that the known
// templates use; whatever it does not know is an Error that names the form and its line, never a guess. Runs nothing.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dice::formats {

struct ChatMessage
{
    std::string role; // "system", "user", "assistant", "tool"
    std::string content;
};

// Immutable after parsing; cheap to copy.
class ChatTemplate
{
public:
    static Result<ChatTemplate> parse(std::string source);
    // chat_template.jinja of the folder, else "chat_template" of its tokenizer_config.json.
    static Result<ChatTemplate> fromFolder(const std::filesystem::path &folder);

    // `variables` as Hugging Face passes them: messages, add_generation_prompt, tools, enable_thinking, bos_token ...
    Result<std::string> render(const nlohmann::ordered_json &variables) const;
    // The usual call: messages and the opening of the assistant's turn. The folder's bos_token and eos_token are given.
    Result<std::string> renderPrompt(const std::vector<ChatMessage> &messages,
                                     std::optional<bool> enableThinking = {}) const;

private:
    struct Program;
    std::shared_ptr<const Program> m_program;
    nlohmann::ordered_json m_tokenVariables = nlohmann::ordered_json::object();
};

} // namespace dice::formats
