#include "engineclient.h"

#include "app/services/replydecoder.h"

namespace dice::services {

EngineClient::EngineClient(ProcessProgram program, QObject *parent)
    : QObject(parent)
    , m_channel(std::move(program))
{
}

RequestId EngineClient::load(const LoadRequest &request, Done<ModelInfo> done)
{
    const Json payload{{"folder", request.folder}, {"device", request.device}, {"dtype", request.dtype}};
    return m_channel.send("engine.load", payload, decodeReply<ModelInfo>(modelInfoFromJson, std::move(done)));
}

RequestId EngineClient::generate(const GenerateRequest &request, std::function<void(const CanvasStep &)> onStep,
                                 Done<GenerateResult> done)
{
    return m_channel.send("engine.generate", toJson(request),
                          decodeReply<GenerateResult>(generateResultFromJson, std::move(done)),
                          [onStep = std::move(onStep)](const std::string &name, const Json &payload) {
                              if (name != "canvas.step" || !onStep)
                                  return;
                              if (const Result<CanvasStep> step = canvasStepFromJson(payload))
                                  onStep(*step);
                          });
}

RequestId EngineClient::describeModel(const std::string &folder, Done<ModelInfo> done)
{
    return m_channel.send("model.info", {{"folder", folder}},
                          decodeReply<ModelInfo>(modelInfoFromJson, std::move(done)));
}

RequestId EngineClient::checkParity(const LoadRequest &request, std::function<void(const ParityCheck &)> onCheck,
                                    Done<ParitySummary> done)
{
    const auto summaryFromJson = [](const Json &json) {
        return decodeJson<ParitySummary>(json, "parity summary", [](const Json &from) -> Result<ParitySummary> {
            return ParitySummary{from.at("checks").get<int>(), from.at("failed").get<int>()};
        });
    };
    return m_channel.send(
        "model.parity", {{"folder", request.folder}, {"device", request.device}},
        decodeReply<ParitySummary>(summaryFromJson, std::move(done)),
        [onCheck = std::move(onCheck)](const std::string &name, const Json &payload) {
            if (name == "parity.check" && onCheck)
                onCheck({payload.value("name", ""), payload.value("passed", false), payload.value("detail", "")});
        });
}

RequestId EngineClient::synthesise(const SynthesisRequest &request, std::function<void(int, int)> onProgress,
                                   Done<Json> done)
{
    const Json payload{{"folder", request.folder}, {"count", request.count}, {"seed", request.seed}};
    return m_channel.send("data.synth", payload, std::move(done),
                          [onProgress = std::move(onProgress)](const std::string &name, const Json &progress) {
                              if (name == "progress" && onProgress)
                                  onProgress(progress.value("done", 0), progress.value("total", 0));
                          });
}

RequestId EngineClient::train(const TrainRequest &request, std::function<void(const Json &)> onStep, Done<Json> done)
{
    const Json payload{{"config", request.config}, {"run_folder", request.runFolder}, {"resume", request.resumes}};
    return m_channel.send("train.sft", payload, std::move(done),
                          [onStep = std::move(onStep)](const std::string &name, const Json &step) {
                              if (name == "train.step" && onStep)
                                  onStep(step);
                          });
}

} // namespace dice::services
