// Measures decoding speed: dice-bench-decoding [FOLDER] [THREADS]. Without a folder it makes a random model of the
// shape of the model in the box. Each line: steps a block, tokens a second (best of three), and milliseconds of a
// forward by the clock and by the processor, which a busy machine does not distort.
#include "core/engine/engine.h"
#include "core/engine/randommodel.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

using namespace dice;
using namespace dice::engine;

namespace {

constexpr int numPromptTokens = 280; // the median of the level-1 prompts
constexpr int numNewTokens = 640; // the mean answer
constexpr int numRepeats = 3;

std::filesystem::path randomFolder()
{
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "dice-bench-decoding";
    std::filesystem::create_directories(folder);
    formats::ModelConfig config = nanoModelConfig();
    config.eosTokenIds = {static_cast<std::int32_t>(config.vocabSize) - 1}; // as good as never: length decides
    if (const Status status = makeRandomModel(folder, config, 7); !status)
        std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return folder;
}

int measure(Engine &engine, int stepsPerBlock, ForwardPlan plan)
{
    std::vector<TokenId> prompt;
    for (int i = 0; i < numPromptTokens; ++i)
        prompt.push_back(TokenId(i % 200));
    DecodingOptions options;
    options.strategy = Remasking::LowConfidenceStatic;
    options.stepsPerBlock = stepsPerBlock;
    options.maxNewTokens = numNewTokens;
    double bestSeconds = 1e9;
    double leastProcessor = 1e9;
    Answer best;
    for (int repeat = 0; repeat < numRepeats; ++repeat) {
        const std::clock_t start = std::clock();
        // With a callback, as the canvas has one.
        Result<Answer> answer = engine.generateFromTokens(
            prompt, options, [](const CanvasStep &) { return StepAction::Continue; }, plan);
        if (!answer) {
            std::fprintf(stderr, "%s\n", answer.error().message.c_str());
            return 1;
        }
        leastProcessor = std::min(leastProcessor, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        const double seconds = static_cast<double>(answer->result.durationNs) * 1e-9;
        if (seconds < bestSeconds) {
            bestSeconds = seconds;
            best = std::move(*answer);
        }
    }
    std::printf("%d steps a block, %-10s %4d tokens %4d forwards %7.0f tokens/s %6.2f ms/forward, %6.2f of processor\n",
                stepsPerBlock, plan == ForwardPlan::Overlapped ? "overlapped" : "separate", best.result.numTokens,
                best.result.numForwards, best.result.numTokens / bestSeconds,
                1e3 * bestSeconds / best.result.numForwards, 1e3 * leastProcessor / best.result.numForwards);
    std::fflush(stdout);
    return 0;
}

} // namespace

int main(int argc, char *argv[])
{
    const std::filesystem::path folder = argc > 1 ? std::filesystem::path(argv[1]) : randomFolder();
    setNumThreads(argc > 2 ? std::atoi(argv[2]) : 0);
    Result<Engine> engine = Engine::load({folder, "cpu", "float32"});
    if (!engine) {
        std::fprintf(stderr, "%s\n", engine.error().message.c_str());
        return 1;
    }
    int failed = 0;
    for (const int steps : {1, 2, 4}) {
        for (const ForwardPlan plan : {ForwardPlan::Overlapped, ForwardPlan::Separate})
            failed += measure(*engine, steps, plan);
    }
    return failed ? 1 : 0;
}
