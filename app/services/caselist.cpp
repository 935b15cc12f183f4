#include "caselist.h"

#include "core/store/atomicfile.h"

#include <algorithm>

namespace dice::services {

namespace {

constexpr std::uint64_t maxFileBytes = 4u << 20;

Result<ModuleSource> readSource(const std::filesystem::path &file)
{
    Result<std::string> text = store::readFile(file, maxFileBytes);
    if (!text)
        return tl::unexpected(text.error());
    return ModuleSource{std::move(*text), file.filename().string()};
}

Status readVerdict(const std::filesystem::path &file, VerdictCase &known)
{
    const Result<std::string> text = store::readFile(file, maxFileBytes);
    if (!text)
        return tl::unexpected(text.error());
    const auto decode = [&known](const Json &from) -> Result<bool> {
        from.at("expect").get_to(known.expect);
        from.at("expect_strict").get_to(known.expectStrict);
        known.needsGpu = from.at("device") == "gpu";
        for (const Json &word : from.value("accept", Json::array()))
            known.accepted.push_back(word);
        const Json tolerated = from.value("tolerate", Json::object()); // items() does not keep a temporary alive
        for (const auto &[word, condition] : tolerated.items())
            known.accepted.push_back(word);
        return true;
    };
    const Result<bool> decoded = decodeJson<bool>(Json::parse(*text, nullptr, false), file.c_str(), decode);
    if (!decoded)
        return tl::unexpected(decoded.error());
    return {};
}

Result<VerdictCase> readCase(const std::filesystem::path &folder, const std::string &name)
{
    VerdictCase known;
    known.name = name;
    if (const Status verdict = readVerdict(folder / "verdict.json", known); !verdict)
        return tl::unexpected(verdict.error());
    Result<ModuleSource> reference = readSource(folder / "reference.py");
    if (!reference)
        return tl::unexpected(reference.error());
    Result<ModuleSource> candidate = readSource(folder / "candidate.py");
    if (!candidate)
        return tl::unexpected(candidate.error());
    known.reference = std::move(*reference);
    known.candidate = std::move(*candidate);
    return known;
}

} // namespace

Result<std::vector<VerdictCase>> readCases(const std::filesystem::path &folder)
{
    std::vector<VerdictCase> cases;
    std::error_code error;
    for (const auto &group : std::filesystem::directory_iterator(folder, error)) {
        std::error_code noFolder;
        for (const auto &entry : std::filesystem::directory_iterator(group, noFolder)) {
            if (!std::filesystem::exists(entry.path() / "verdict.json"))
                continue;
            Result<VerdictCase> known = readCase(entry.path(), entry.path().lexically_relative(folder).string());
            if (!known)
                return tl::unexpected(known.error());
            cases.push_back(std::move(*known));
        }
    }
    if (cases.empty())
        return failure(ErrorCode::NotFound,
                       "there are no cases (*/*/verdict.json) in " + folder.string() + "; check the path");
    std::ranges::sort(cases, {}, &VerdictCase::name);
    return cases;
}

const std::string &expectedWord(const VerdictCase &known, Protocol protocol)
{
    return protocol == Protocol::KernelBenchV0 ? known.expect : known.expectStrict;
}

bool isRight(const VerdictCase &known, Protocol protocol, const Verdict &verdict)
{
    if (known.needsGpu && verdict.device == "cpu")
        return true;
    const std::string word = toString(verdict.word);
    return word == expectedWord(known, protocol) || std::ranges::find(known.accepted, word) != known.accepted.end();
}

} // namespace dice::services
