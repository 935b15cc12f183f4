#include "verdict.h"

#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

namespace dice {

namespace {

constexpr std::array<std::pair<VerdictWord, const char *>, 8> wordNames{{
    {VerdictWord::Correct, "correct"},
    {VerdictWord::Incorrect, "incorrect"},
    {VerdictWord::CompileError, "compile_error"},
    {VerdictWord::RuntimeError, "runtime_error"},
    {VerdictWord::Timeout, "timeout"},
    {VerdictWord::Rejected, "rejected"},
    {VerdictWord::NeedsGpu, "needs_gpu"},
    {VerdictWord::HarnessError, "harness_error"},
}};

constexpr std::array<std::pair<CheckOutcome, const char *>, 3> outcomeNames{{
    {CheckOutcome::Passed, "passed"},
    {CheckOutcome::Failed, "failed"},
    {CheckOutcome::NotRun, "not_run"},
}};

const char *toString(CheckOutcome outcome)
{
    for (const auto &[known, name] : outcomeNames) {
        if (known == outcome)
            return name;
    }
    return "not_run";
}

CheckOutcome outcomeFromString(const std::string &name)
{
    for (const auto &[outcome, known] : outcomeNames) {
        if (name == known)
            return outcome;
    }
    throw std::invalid_argument("outcome " + name);
}

Json toJson(const TrialResult &trial)
{
    // JSON has no NaN or infinity: nlohmann writes null, which readNumber gives back as NaN.
    return {{"seed", trial.seed}, {"equal", trial.isEqual}, {"worst_error", trial.worstError},
            {"worst_index", trial.worstIndex}, {"worst_path", trial.worstPath},
            {"expected", trial.expected}, {"actual", trial.actual}};
}

double readNumber(const Json &json)
{
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

TrialResult trialFromJson(const Json &json)
{
    TrialResult trial;
    json.at("seed").get_to(trial.seed);
    json.at("equal").get_to(trial.isEqual);
    trial.worstError = readNumber(json.at("worst_error"));
    json.at("worst_index").get_to(trial.worstIndex);
    json.at("worst_path").get_to(trial.worstPath);
    trial.expected = readNumber(json.at("expected"));
    trial.actual = readNumber(json.at("actual"));
    return trial;
}

template <typename T, typename Encode>
Json encodeAll(const std::vector<T> &items, Encode encode)
{
    Json array = Json::array();
    for (const T &item : items)
        array.push_back(encode(item));
    return array;
}

void readLists(const Json &from, Verdict &verdict)
{
    for (const Json &trial : arrayAt(from, "trials"))
        verdict.trials.push_back(trialFromJson(trial));
    for (const Json &row : arrayAt(from, "detectors"))
        verdict.detectors.push_back({row.at("detector").get<std::string>(),
                                     outcomeFromString(row.at("outcome").get<std::string>()),
                                     row.at("evidence").get<std::string>()});
    for (const Json &row : arrayAt(from, "launches"))
        verdict.launches.push_back(
            {row.at("kernel").get<std::string>(), row.at("count").get<int>(), row.at("duration_ns").get<std::int64_t>()});
    for (const Json &row : arrayAt(from, "scaled_sizes"))
        verdict.scaledSizes.push_back({row.at("name").get<std::string>(), row.at("original").get<std::int64_t>(),
                                       row.at("used").get<std::int64_t>()});
    from.at("warnings").get_to(verdict.warnings);
}

} // namespace

const char *toString(VerdictWord word)
{
    for (const auto &[known, name] : wordNames) {
        if (known == word)
            return name;
    }
    return "harness_error";
}

Result<VerdictWord> verdictWordFromString(const std::string &name)
{
    for (const auto &[word, known] : wordNames) {
        if (name == known)
            return word;
    }
    return failure(ErrorCode::InvalidData, "unknown verdict word \"" + name + "\"");
}

Json toJson(const Verdict &verdict)
{
    Json json{{"word", toString(verdict.word)}, {"reason", verdict.reason}, {"line", verdict.line},
              {"protocol", verdict.protocol}, {"device", verdict.device}, {"tolerance", verdict.tolerance},
              {"build", toJson(verdict.build)}, {"warnings", verdict.warnings}, {"duration_ns", verdict.durationNs}};
    json["trials"] = encodeAll(verdict.trials, [](const TrialResult &trial) { return toJson(trial); });
    json["detectors"] = encodeAll(verdict.detectors, [](const DetectorResult &row) -> Json {
        return {{"detector", row.detector}, {"outcome", toString(row.outcome)}, {"evidence", row.evidence}};
    });
    json["launches"] = encodeAll(verdict.launches, [](const LaunchRecord &row) -> Json {
        return {{"kernel", row.kernel}, {"count", row.count}, {"duration_ns", row.durationNs}};
    });
    json["scaled_sizes"] = encodeAll(verdict.scaledSizes, [](const ScaledSize &row) -> Json {
        return {{"name", row.name}, {"original", row.original}, {"used", row.used}};
    });
    return json;
}

Result<Verdict> verdictFromJson(const Json &json)
{
    return decodeJson<Verdict>(json, "verdict", [](const Json &from) -> Result<Verdict> {
        Verdict verdict;
        Result<VerdictWord> word = verdictWordFromString(from.at("word").get<std::string>());
        if (!word)
            return tl::unexpected(word.error());
        verdict.word = *word;
        Result<BuildReport> build = buildReportFromJson(from.at("build"));
        if (!build)
            return tl::unexpected(build.error());
        verdict.build = *build;
        from.at("reason").get_to(verdict.reason);
        from.at("line").get_to(verdict.line);
        from.at("protocol").get_to(verdict.protocol);
        from.at("device").get_to(verdict.device);
        from.at("tolerance").get_to(verdict.tolerance);
        from.at("duration_ns").get_to(verdict.durationNs);
        readLists(from, verdict);
        return verdict;
    });
}

} // namespace dice
