// The engine's requests as typed calls: load, generate, describe, compare, make data, train. Every call returns at
// once and answers once, later. It knows nothing of kernels and verdicts.
#pragma once

#include "app/services/processchannel.h"
#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/data/modelinfo.h"

namespace dice::services {

struct LoadRequest
{
    std::string folder;
    std::string device = "auto"; // "auto", "cpu", "cuda:0"
    std::string dtype = "auto"; // "auto", "float32", "bfloat16"

    bool operator==(const LoadRequest &) const = default;
};

struct ParityCheck
{
    std::string name;
    bool hasPassed = false;
    std::string detail;
};

struct ParitySummary
{
    int numChecks = 0;
    int numFailed = 0;
};

struct SynthesisRequest
{
    std::string folder;
    int count = 0;
    std::uint64_t seed = 0;
};

struct TrainRequest
{
    Json config; // TrainConfig
    std::string runFolder;
    bool resumes = false;
};

class EngineClient : public QObject
{
    Q_OBJECT

public:
    template <typename T> using Done = std::function<void(Result<T>)>;

    explicit EngineClient(ProcessProgram program, QObject *parent = nullptr);

    ProcessChannel &channel() { return m_channel; }

    RequestId load(const LoadRequest &request, Done<ModelInfo> done);
    RequestId generate(const GenerateRequest &request, std::function<void(const CanvasStep &)> onStep,
                       Done<GenerateResult> done);
    RequestId describeModel(const std::string &folder, Done<ModelInfo> done);
    RequestId checkParity(const LoadRequest &request, std::function<void(const ParityCheck &)> onCheck,
                          Done<ParitySummary> done);
    RequestId synthesise(const SynthesisRequest &request, std::function<void(int done, int total)> onProgress,
                         Done<Json> done);
    RequestId train(const TrainRequest &request, std::function<void(const Json &step)> onStep, Done<Json> done);

private:
    ProcessChannel m_channel;
};

} // namespace dice::services
