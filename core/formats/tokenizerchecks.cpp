#include "tokenizerchecks.h"

#include "chattemplate.h"
#include "textfile.h"
#include "tokenizer.h"

#include <optional>

namespace dice::formats {

namespace {

using nlohmann::ordered_json;
using Ids = std::vector<std::int32_t>;

// Runs `compare` over a list of cases: it gives the first difference, or nothing.
template <typename Compare> Check checkAll(std::string name, const ordered_json &cases, const Compare &compare)
{
    Check check{.name = std::move(name), .passed = true, .detail = {}};
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::optional<std::string> difference = compare(cases[i]);
        if (!difference)
            continue;
        if (wrong++ == 0)
            check.detail = "case " + std::to_string(i) + ": " + *difference;
    }
    check.passed = wrong == 0;
    check.detail = check.passed
        ? std::to_string(cases.size()) + " cases equal"
        : std::to_string(wrong) + " of " + std::to_string(cases.size()) + " differ; " + check.detail;
    return check;
}

std::optional<std::string> differenceOf(const ordered_json &expected, const ordered_json &actual)
{
    if (expected == actual)
        return std::nullopt;
    const auto text = [](const ordered_json &json) {
        return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace).substr(0, 200);
    };
    return "expected " + text(expected) + ", got " + text(actual);
}

std::optional<std::string> compareDecoded(const Tokenizer &tokenizer, const ordered_json &entry)
{
    const auto ids = entry.at("ids").get<Ids>();
    if (auto difference = differenceOf(entry.at("decoded"), tokenizer.decode(ids)))
        return difference;
    return differenceOf(entry.at("decoded_skip_special"), tokenizer.decode(ids, SpecialTokens::Skip));
}

void checkVectors(const Tokenizer &tokenizer, const ordered_json &vectors, const std::string &form,
                  std::vector<Check> &checks)
{
    checks.push_back(checkAll(form + ": encode and decode", vectors.at("cases"), [&](const ordered_json &entry) {
        auto difference = differenceOf(entry.at("ids"), tokenizer.encode(entry.at("text").get<std::string>()));
        return difference ? difference : compareDecoded(tokenizer, entry);
    }));
    checks.push_back(checkAll(form + ": decode any ids", vectors.value("decode_only", ordered_json::array()),
                              [&](const ordered_json &entry) { return compareDecoded(tokenizer, entry); }));
    checks.push_back(checkAll(
        form + ": normalizer and pre-tokenizer", vectors.value("pre_tokenizer_pieces", ordered_json::array()),
        [&](const ordered_json &entry) {
            const std::string normalized = tokenizer.normalize(entry.at("text").get<std::string>());
            auto difference = differenceOf(entry.at("normalized"), normalized);
            return difference ? difference : differenceOf(entry.at("pieces"), tokenizer.preTokenize(normalized));
        }));
}

Check checkTemplate(const ChatTemplate &chatTemplate, const ordered_json &cases, const Tokenizer &tokenizer,
                    const std::string &form)
{
    return checkAll(form + ": chat template", cases, [&](const ordered_json &entry) -> std::optional<std::string> {
        ordered_json variables = ordered_json::object();
        for (const auto &[key, value] : entry.items()) {
            if (key != "name" && key != "text" && key != "ids")
                variables[key] = value;
        }
        const Result<std::string> text = chatTemplate.render(variables);
        if (!text)
            return text.error().message;
        auto difference = differenceOf(entry.at("text"), *text);
        if (difference || !entry.contains("ids"))
            return difference;
        return differenceOf(entry.at("ids"), tokenizer.encode(*text));
    });
}

struct Form
{
    std::string name;
    Tokenizer tokenizer;
};

// An Error of one form is a failed check, so that the others are still compared.
std::vector<Form> readForms(const std::filesystem::path &folder, std::vector<Check> &checks)
{
    std::vector<Form> forms;
    const auto read
        = [&](const char *file, Result<Tokenizer> (*reader)(const std::filesystem::path &), bool takesFile) {
              std::error_code ignored;
              if (!std::filesystem::exists(folder / file, ignored))
                  return;
              auto tokenizer = reader(takesFile ? folder / file : folder);
              if (tokenizer)
                  forms.push_back({file, std::move(*tokenizer)});
              else
                  checks.push_back({std::string(file) + ": load", false, tokenizer.error().message});
          };
    read("tokenizer.json", &Tokenizer::fromTokenizerJson, true);
    read("vocab.json", &Tokenizer::fromVocabAndMerges, false);
    return forms;
}

Result<std::optional<ordered_json>> readIfThere(const std::filesystem::path &file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return std::optional<ordered_json>();
    auto content = readOrderedJsonFile(file, "reference outputs");
    if (!content)
        return tl::unexpected(content.error());
    return std::optional(std::move(*content));
}

std::vector<Check> runChecks(const std::filesystem::path &folder, const std::optional<ordered_json> &vectors,
                             const std::optional<ordered_json> &templateCases)
{
    std::vector<Check> checks;
    const std::vector<Form> forms = readForms(folder, checks);
    for (const Form &form : forms) {
        if (vectors)
            checkVectors(form.tokenizer, *vectors, form.name, checks);
        if (!templateCases)
            continue;
        const auto chatTemplate = ChatTemplate::fromFolder(folder);
        if (chatTemplate)
            checks.push_back(checkTemplate(*chatTemplate, templateCases->at("cases"), form.tokenizer, form.name));
        else
            checks.push_back({form.name + ": chat template", false, chatTemplate.error().message});
    }
    return checks;
}

} // namespace

Result<std::vector<Check>> checkTokenizerFolder(const std::filesystem::path &folder)
{
    const auto vectors = readIfThere(folder / "vectors.json");
    if (!vectors)
        return tl::unexpected(vectors.error());
    const auto templateCases = readIfThere(folder / "chat_template_cases.json");
    if (!templateCases)
        return tl::unexpected(templateCases.error());
    try {
        return runChecks(folder, *vectors, *templateCases);
    } catch (const nlohmann::json::exception &error) {
        return failure(ErrorCode::InvalidData,
                       "the reference outputs in " + folder.string() + " are not laid out as expected", error.what());
    }
}

} // namespace dice::formats
