// A model in memory that answers prompts: chat template, tokens, block diffusion, text. Torch-free; one generation at
// a time, on the caller's thread. Knows no process, frame or file but the model's folder.
#pragma once

#include "core/base/result.h"
#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/engine/blockdecoder.h"
#include "core/data/modelinfo.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace dice::engine {

struct LoadOptions
{
    std::filesystem::path folder;
    std::string device = "auto"; // "auto", "cpu", "cuda:N"
    std::string dtype = "auto"; // "auto", "float32", "bfloat16"
};

using CanvasCallback = std::function<StepAction(const CanvasStep &)>;

struct Answer
{
    GenerateResult result;
    Generation generation; // token ids and step map
};

// Threads of one forward on the CPU, for the whole process; 0 = as many as there are cores.
void setNumThreads(int numThreads);

class Engine
{
public:
    // Bad folders, configurations, weights and tokenizers give an Error that names the file and the fault.
    static Result<Engine> load(const LoadOptions &options);

    Engine(Engine &&) noexcept;
    Engine &operator=(Engine &&) noexcept;
    ~Engine();

    const ModelInfo &info() const;

    // The request's prompt is the user's message. After `Stop` from the callback no further forward runs.
    Result<Answer> generate(const GenerateRequest &request, const CanvasCallback &callback = {},
                            ForwardPlan plan = ForwardPlan::Overlapped);

    // Continues token ids as they are: no template, no padding.
    Result<Answer> generateFromTokens(std::span<const TokenId> prompt, const DecodingOptions &options,
                                      const CanvasCallback &callback = {}, ForwardPlan plan = ForwardPlan::Overlapped);

    // The ids that `generate` puts before the answer: template, tokenizer, padding to whole blocks.
    Result<std::vector<TokenId>> promptTokens(const std::string &message) const;

private:
    struct Parts;
    explicit Engine(std::unique_ptr<Parts> parts);

    std::unique_ptr<Parts> m_parts;
};

} // namespace dice::engine
