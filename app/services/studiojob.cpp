#include "studiojob.h"

namespace dice::services {

namespace {
constexpr double laterAttemptsTemperature = 0.7;
}

bool JobOutcome::isCorrect() const
{
    const Attempt *attempt = best();
    return attempt && attempt->verdict && attempt->verdict->word == VerdictWord::Correct;
}

const Attempt *JobOutcome::best() const
{
    for (const Attempt &attempt : attempts) {
        if (attempt.verdict && attempt.verdict->word == VerdictWord::Correct)
            return &attempt;
    }
    return attempts.empty() ? nullptr : &attempts.back();
}

DecodingOptions decodingOfAttempt(const DecodingOptions &first, int index)
{
    DecodingOptions options = first;
    options.seed += static_cast<std::uint64_t>(index);
    if (index > 0 && options.temperature == 0.0)
        options.temperature = laterAttemptsTemperature;
    return options;
}

Json toJson(const JobOutcome &outcome)
{
    Json json{{"stopped", outcome.isStopped}, {"notes", outcome.module.notes}, {"attempts", Json::array()}};
    for (const Attempt &attempt : outcome.attempts) {
        json["attempts"].push_back({{"seed", attempt.request.decoding.seed},
                                    {"temperature", attempt.request.decoding.temperature},
                                    {"word", attempt.verdict ? Json(toString(attempt.verdict->word)) : Json()}});
    }
    if (const Attempt *best = outcome.best()) {
        json["kernel"] = best->kernel;
        json["generation"] = toJson(best->result);
        json["generation"].erase("text"); // the kernel is in it
        if (best->verdict)
            json["verdict"] = toJson(*best->verdict);
    }
    return json;
}

} // namespace dice::services
