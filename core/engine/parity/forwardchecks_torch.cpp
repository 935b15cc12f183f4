#include "forwardchecks_torch.h"

#include <numeric>
#include <regex>

namespace dice::engine::parity {

namespace {

void compareTensor(Recorder &recorder, const StoredTensors &stored, const std::string &name, const at::Tensor &actual)
{
    const at::Tensor values = actual.to(at::kCPU, at::kFloat).contiguous();
    recorder.compare(name, {values.const_data_ptr<float>(), static_cast<std::size_t>(values.numel())},
                     stored.floats(name));
}

at::Tensor wholeForward(LoadedModel &loaded, const std::vector<TokenId> &tokens, int blockLength,
                        const ActivationTap *tap = nullptr)
{
    loaded.model->reset(blockLength, static_cast<int>(tokens.size()));
    return loaded.model->hidden(tokens, tap);
}

// The prompt a name belongs to: "p1.b4.padded.logits" has input ids of its own, "p1.b4.logits" shares "p1".
std::string inputName(const StoredTensors &stored, const std::string &name)
{
    const std::string own = name.substr(0, name.rfind('.')) + ".input_ids";
    return stored.contains(own) ? own : name.substr(0, name.find('.')) + ".input_ids";
}

void checkLogits(LoadedModel &loaded, const StoredTensors &stored, Recorder &recorder)
{
    static const std::regex pattern(R"((p\d+|long)\.b(\d+)(\.padded)?\.logits)");
    for (const std::string &name : stored.names()) {
        std::smatch match;
        if (!std::regex_match(name, match, pattern))
            continue;
        const at::Tensor state = wholeForward(loaded, stored.tokens(inputName(stored, name)), std::stoi(match[2]));
        const std::int64_t numRows = stored.shape(name).at(0);
        compareTensor(recorder, stored, name, loaded.model->logits(state.narrow(0, state.size(0) - numRows, numRows)));
    }
}

// debug.<prompt>.b<B>.layer<l>.<activation>
void checkActivations(LoadedModel &loaded, const StoredTensors &stored, Recorder &recorder)
{
    if (!stored.contains("debug.p1.b4.layer0.out"))
        return;
    const ActivationTap tap = [&](std::string_view activation, std::int64_t layer, const at::Tensor &value) {
        const std::string name = "debug.p1.b4.layer" + std::to_string(layer) + "." + std::string(activation);
        if (stored.contains(name))
            compareTensor(recorder, stored, name, value);
    };
    wholeForward(loaded, stored.tokens("p1.input_ids"), 4, &tap);
}

void checkRope(LoadedModel &loaded, const StoredTensors &stored, Recorder &recorder)
{
    if (!stored.contains("debug.rope.positions"))
        return;
    const std::vector<std::int64_t> positions = stored.integers("debug.rope.positions");
    const std::int64_t numPositions = *std::max_element(positions.begin(), positions.end()) + 1;
    const RopeTable table = makeRopeTable(loaded.config.headDim, loaded.config.ropeTheta, numPositions, loaded.options);
    const at::Tensor rows = at::tensor(positions, at::kLong).to(loaded.options.device());
    compareTensor(recorder, stored, "debug.rope.cos", table.cos_PD.index_select(0, rows));
    compareTensor(recorder, stored, "debug.rope.sin", table.sin_PD.index_select(0, rows));
}

// Feeds the model exactly what went into the published run, call by call.
void checkRun(LoadedModel &loaded, const StoredTensors &stored, const Json &run, Recorder &recorder)
{
    const std::string name = run.at("name").get<std::string>();
    const int blockLength = run.at("params").at("block_length").get<int>();
    const std::vector<TokenId> prompt = tokensOf(run.at("prompt_ids"));
    const std::size_t numPrefilled = prompt.size() / static_cast<std::size_t>(blockLength) * blockLength;
    std::vector<int> allRows(static_cast<std::size_t>(blockLength));
    std::iota(allRows.begin(), allRows.end(), 0);
    loaded.model->reset(blockLength, static_cast<int>(prompt.size()) + 1024);
    loaded.model->store(std::span(prompt).first(numPrefilled));
    for (const Json &call : run.at("cache_calls")) {
        const std::vector<TokenId> input = tokensOf(call.at("input"));
        const std::span<const float> logits = loaded.model->denoise({{}, input, allRows});
        const std::string tensor = "cache." + name + ".call" + std::to_string(call.at("index").get<int>()) + ".logits";
        recorder.compare(tensor, logits, stored.floats(tensor));
        if (call.at("stores_kv").get<bool>())
            loaded.model->store(input);
    }
}

} // namespace

void checkForwards(LoadedModel &loaded, const StoredTensors &stored, Recorder &recorder)
{
    checkLogits(loaded, stored, recorder);
    checkActivations(loaded, stored, recorder);
    checkRope(loaded, stored, recorder);
}

void checkCacheCalls(LoadedModel &loaded, const StoredTensors &stored, const Json &generations, Recorder &recorder)
{
    for (const Json &run : generations.at("runs")) {
        if (run.contains("cache_calls"))
            checkRun(loaded, stored, run, recorder);
    }
}

} // namespace dice::engine::parity
