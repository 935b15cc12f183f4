// Every denoising step of one generation, in a file: enough to replay, fork and train on. JSON lines:
//   {"trace": 1, "model": {...}, "request": GenerateRequest}    first
//   {"step": CanvasStep}                                       one a step, in order
//   {"result": GenerateResult}                                 last; absent when the writer was killed
// It knows no engine and no window.
#pragma once

#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/store/jsonlines.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace dice::store {

inline constexpr int traceVersion = 1;

struct Trace
{
    Json model = Json::object(); // name, folder and sizes, as the engine told them
    GenerateRequest request; // prompt, settings, seed
    std::vector<CanvasStep> steps;
    std::optional<GenerateResult> result;
};

class TraceWriter
{
public:
    // Replaces a file that is there.
    static Result<TraceWriter> create(const std::filesystem::path &path, const Json &model,
                                      const GenerateRequest &request);

    Status append(const CanvasStep &step);
    Status finish(const GenerateResult &result);

private:
    explicit TraceWriter(JsonLinesWriter lines)
        : m_lines(std::move(lines))
    {
    }

    JsonLinesWriter m_lines;
};

// NotFound, or InvalidData with the line that breaks the format. A trace without its last line is no error.
Result<Trace> readTrace(const std::filesystem::path &path);

} // namespace dice::store
