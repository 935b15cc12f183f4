#include "forwardchecks_torch.h"

#include <algorithm>
#include <regex>

namespace dice::engine::parity {

namespace {

void compareTensor(Recorder &recorder, const StoredTensors &stored, const std::string &name, const at::Tensor &actual)
{
    const at::Tensor values = actual.to(at::kCPU, at::kFloat).contiguous();
    recorder.compare(name, {values.const_data_ptr<float>(), static_cast<std::size_t>(values.numel())},
                     stored.floats(name));
}

at::Tensor wholeForward(const TensorForwards &forwards, const std::vector<TokenId> &tokens, int blockLength,
                        const ActivationTap *tap = nullptr)
{
    forwards.model.reset(blockLength, static_cast<int>(tokens.size()));
    return forwards.model.hidden(tokens, tap);
}

void checkLogits(const TensorForwards &forwards, const StoredTensors &stored, Recorder &recorder)
{
    static const std::regex pattern(R"((p\d+|long)\.b(\d+)(\.padded)?\.logits)");
    for (const std::string &name : stored.names()) {
        std::smatch match;
        if (!std::regex_match(name, match, pattern))
            continue;
        const at::Tensor state = wholeForward(forwards, stored.inputOf(name), std::stoi(match[2]));
        const std::int64_t numRows = stored.shape(name).at(0);
        compareTensor(recorder, stored, name, forwards.model.logits(state.narrow(0, state.size(0) - numRows, numRows)));
    }
}

// debug.<prompt>.b<B>.layer<l>.<activation>
void checkActivations(const TensorForwards &forwards, const StoredTensors &stored, Recorder &recorder)
{
    if (!stored.contains("debug.p1.b4.layer0.out"))
        return;
    const ActivationTap tap = [&](std::string_view activation, std::int64_t layer, const at::Tensor &value) {
        const std::string name = "debug.p1.b4.layer" + std::to_string(layer) + "." + std::string(activation);
        if (stored.contains(name))
            compareTensor(recorder, stored, name, value);
    };
    wholeForward(forwards, stored.tokens("p1.input_ids"), 4, &tap);
}

void checkRope(const TensorForwards &forwards, const StoredTensors &stored, Recorder &recorder)
{
    if (!stored.contains("debug.rope.positions"))
        return;
    const std::vector<std::int64_t> positions = stored.integers("debug.rope.positions");
    const std::int64_t numPositions = *std::max_element(positions.begin(), positions.end()) + 1;
    const RopeTable table
        = makeRopeTable(forwards.config.headDim, forwards.config.ropeTheta, numPositions, forwards.options);
    const at::Tensor rows = at::tensor(positions, at::kLong).to(forwards.options.device());
    compareTensor(recorder, stored, "debug.rope.cos", table.cos_PD.index_select(0, rows));
    compareTensor(recorder, stored, "debug.rope.sin", table.sin_PD.index_select(0, rows));
}

} // namespace

void checkForwards(const TensorForwards &forwards, const StoredTensors &stored, Recorder &recorder)
{
    checkLogits(forwards, stored, recorder);
    checkActivations(forwards, stored, recorder);
    checkRope(forwards, stored, recorder);
}

} // namespace dice::engine::parity
