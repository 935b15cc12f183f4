#include "generationchecks.h"

#include "core/engine/blockdecoder.h"
#include "core/engine/parity/storedfiles.h"

#include <cmath>
#include <cstdio>

namespace dice::engine::parity {

namespace {

BlockDecoding decodingOf(const Json &run, TokenId maskToken)
{
    const Json &params = run.at("params");
    BlockDecoding decoding;
    decoding.blockLength = params.at("block_length").get<int>();
    decoding.numSteps = params.at("denoising_steps").get<int>();
    decoding.rule.strategy = remaskingFromString(params.at("remasking_strategy").get<std::string>()).value();
    decoding.rule.threshold = params.value("dynamic_threshold", 0.0);
    decoding.rule.entropyBound = params.value("eb_threshold", 0.0);
    decoding.chooser.logits.topK = params.value("top_k", 0);
    decoding.chooser.logits.topP = params.value("top_p", 1.0);
    decoding.chooser.maskToken = maskToken;
    decoding.maxNewTokens = params.value("max_tokens", 0);
    decoding.stopTokens = tokensOf(params.value("stop_ids", Json::array()));
    if (params.contains("eos_id"))
        decoding.stopTokens.push_back(TokenId(params.at("eos_id").get<std::int32_t>()));
    decoding.plan = ForwardPlan::Separate;
    return decoding;
}

// Compares the steps of one run as they happen; remembers the first difference.
class StepComparison
{
public:
    explicit StepComparison(const Json &steps)
        : m_steps(steps)
    {
    }

    void look(const BlockStep &step)
    {
        if (m_count >= m_steps.size())
            return note("more steps than expected");
        const Json &expected = m_steps.at(m_count++);
        expectEqual(expected, "block_start", step.blockStart);
        expectEqual(expected, "step", step.step);
        Json input = Json::array();
        for (const TokenId token : step.input)
            input.push_back(token.value);
        expectEqual(expected, "input", input);
        lookAtCells(step, expected);
    }

    Check result(const std::string &name)
    {
        if (m_count < m_steps.size())
            note("fewer steps than expected");
        char text[96];
        std::snprintf(text, sizeof text, "%zu steps, confidence and entropy differ by at most %.2e", m_count,
                      m_largest);
        const bool passed = m_difference.empty() && m_largest <= tolerance;
        return {name, passed, m_difference.empty() ? text : m_difference};
    }

private:
    void lookAtCells(const BlockStep &step, const Json &expected)
    {
        Json masked = Json::array(), best = Json::array(), unmasked = Json::array(), tokens = Json::array();
        std::vector<float> confidence, entropy, tokenConfidence;
        for (std::size_t i = 0; i < step.cells.size(); ++i) {
            const BlockCell &cell = step.cells[i];
            if (!cell.wasMasked)
                continue;
            masked.push_back(i);
            best.push_back(cell.choice.token.value);
            confidence.push_back(cell.choice.confidence);
            entropy.push_back(cell.choice.entropy);
            if (cell.state != CellState::Committed)
                continue;
            unmasked.push_back(step.blockStart + static_cast<int>(i));
            tokens.push_back(cell.choice.token.value);
            tokenConfidence.push_back(cell.choice.confidence);
        }
        expectEqual(expected, "masked", masked);
        expectEqual(expected, "argmax", best);
        expectEqual(expected, "unmasked", unmasked);
        expectEqual(expected, "tokens", tokens);
        expectClose(expected, "confidence", confidence);
        expectClose(expected, "entropy", entropy);
        expectClose(expected, "token_confidence", tokenConfidence);
    }

    void expectEqual(const Json &expected, const char *field, const Json &actual)
    {
        if (expected.at(field) != actual)
            note(std::string(field) + " is " + actual.dump() + " instead of " + expected.at(field).dump());
    }

    void expectClose(const Json &expected, const char *field, const std::vector<float> &actual)
    {
        m_largest = std::max(m_largest, largestDifference(actual, expected.at(field).get<std::vector<float>>()));
    }

    void note(const std::string &difference)
    {
        if (m_difference.empty())
            m_difference = "step " + std::to_string(m_count) + ": " + difference;
    }

    const Json &m_steps;
    std::size_t m_count = 0;
    double m_largest = 0.0;
    std::string m_difference;
};

bool hasTokens(const Generation &generation, const Json &ids)
{
    return generation.tokens == tokensOf(ids);
}

Check resultCheck(const std::string &name, const Generation &generation, const Json &run)
{
    const bool areTokensEqual = hasTokens(generation, run.at("output_ids"));
    const bool isMapEqual = !run.contains("step_map") || run.at("step_map") == Json(generation.stepMap);
    const bool areForwardsEqual = run.at("forwards").get<int>() == generation.numForwards;
    std::string detail
        = std::to_string(generation.tokens.size()) + " tokens, " + std::to_string(generation.numForwards) + " forwards";
    if (!areTokensEqual)
        detail += "; the tokens differ";
    if (!isMapEqual)
        detail += "; the step map differs";
    if (!areForwardsEqual)
        detail += "; expected " + std::to_string(run.at("forwards").get<int>()) + " forwards";
    return {name, areTokensEqual && isMapEqual && areForwardsEqual, detail};
}

struct NamedRun
{
    std::string name;
    const Json &run;
    const char *input; // field of what the decoder is given
};

using Decode = Generation (BlockDecoder::*)(std::span<const TokenId>);

// One stored run: every step of the plan that matches the stored passes, then the other plan's tokens.
void checkRun(BlockModel &model, BlockDecoding decoding, Decode decode, const NamedRun &stored, Recorder &recorder)
{
    const std::vector<TokenId> given = tokensOf(stored.run.at(stored.input));
    StepComparison steps(stored.run.at("steps"));
    const auto look = [&](const BlockStep &step) {
        steps.look(step);
        return StepAction::Continue;
    };
    const Generation separate = (BlockDecoder(model, decoding, look).*decode)(given);
    recorder.add(steps.result(stored.name + ".steps"));
    recorder.add(resultCheck(stored.name + ".result", separate, stored.run));
    decoding.plan = ForwardPlan::Overlapped;
    const Generation overlapped = (BlockDecoder(model, decoding, {}).*decode)(given);
    recorder.add({stored.name + ".overlapped", hasTokens(overlapped, stored.run.at("output_ids")),
                  std::to_string(overlapped.numForwards) + " forwards"});
}

} // namespace

void checkGenerations(BlockModel &model, TokenId maskToken, const Json &document, Recorder &recorder)
{
    for (const Json &run : document.at("runs"))
        checkRun(model, decodingOf(run, maskToken), &BlockDecoder::generate,
                 {"generation." + run.at("name").get<std::string>(), run, "prompt_ids"}, recorder);
}

void checkInfilling(BlockModel &model, TokenId maskToken, const Json &document, Recorder &recorder)
{
    for (const Json &run : document.at("runs"))
        checkRun(model, decodingOf(run, maskToken), &BlockDecoder::infill,
                 {"infilling." + run.at("name").get<std::string>(), run, "input_ids"}, recorder);
}

} // namespace dice::engine::parity
