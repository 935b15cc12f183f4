#include "blockchecks.h"

#include <algorithm>
#include <numeric>
#include <regex>

namespace dice::engine::parity {

namespace {

std::vector<int> rowsOf(std::size_t count)
{
    std::vector<int> rows(count);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

// Logits of all tokens: each block is denoised once and then stored on the way of the next one.
std::vector<float> logitsByBlocks(BlockModel &model, std::span<const TokenId> tokens, int blockLength)
{
    model.reset(blockLength, static_cast<int>(tokens.size()));
    std::vector<float> all;
    std::span<const TokenId> finished;
    const auto length = static_cast<std::size_t>(blockLength);
    for (std::size_t start = 0; start < tokens.size(); start += length) {
        const std::span<const TokenId> block = tokens.subspan(start, std::min(length, tokens.size() - start));
        const std::span<const float> logits = model.denoise({finished, block, rowsOf(block.size())});
        all.insert(all.end(), logits.begin(), logits.end());
        finished = block;
    }
    return all;
}

// Feeds the model exactly what went into the published run, call by call.
void checkRun(BlockModel &model, const StoredTensors &stored, const Json &run, Recorder &recorder)
{
    const int blockLength = run.at("params").at("block_length").get<int>();
    const std::vector<TokenId> prompt = tokensOf(run.at("prompt_ids"));
    const std::size_t length = static_cast<std::size_t>(blockLength);
    const std::size_t numPrefilled = prompt.size() / length * length;
    const Json &calls = run.at("cache_calls");
    model.reset(blockLength, static_cast<int>(prompt.size() + (calls.size() + 1) * length));
    model.store(std::span(prompt).first(numPrefilled));
    for (const Json &call : calls) {
        const std::vector<TokenId> input = tokensOf(call.at("input"));
        const std::string name = "cache." + run.at("name").get<std::string>() + ".call"
            + std::to_string(call.at("index").get<int>()) + ".logits";
        recorder.compare(name, model.denoise({{}, input, rowsOf(length)}), stored.floats(name));
        if (call.at("stores_kv").get<bool>())
            model.store(input);
    }
}

} // namespace

void checkBlocks(BlockModel &model, const StoredTensors &stored, Recorder &recorder)
{
    static const std::regex pattern(R"((p\d+|long)\.b(\d+)(\.padded)?\.logits)");
    for (const std::string &name : stored.names()) {
        std::smatch match;
        if (!std::regex_match(name, match, pattern))
            continue;
        const std::vector<float> expected = stored.floats(name);
        std::vector<float> actual = logitsByBlocks(model, stored.inputOf(name), std::stoi(match[2]));
        const auto numExtra = static_cast<std::ptrdiff_t>(actual.size()) - static_cast<std::ptrdiff_t>(expected.size());
        actual.erase(actual.begin(),
                     actual.begin() + std::max<std::ptrdiff_t>(numExtra, 0)); // the last rows are stored
        recorder.compare(name + " by blocks", actual, expected);
    }
}

void checkCacheCalls(BlockModel &model, const StoredTensors &stored, const Json &generations, Recorder &recorder)
{
    for (const Json &run : generations.at("runs")) {
        if (run.contains("cache_calls"))
            checkRun(model, stored, run, recorder);
    }
}

} // namespace dice::engine::parity
