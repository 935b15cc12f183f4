#include "evaluatorclient.h"

#include "app/services/replydecoder.h"

namespace dice::services {

EvaluatorClient::EvaluatorClient(ProcessProgram program, QObject *parent)
    : QObject(parent)
    , m_channel(std::move(program))
{
}

RequestId EvaluatorClient::prepare(const ModuleSource &module, Done<PreparedModule> done)
{
    return m_channel.send("prepare", toJson(module),
                          decodeReply<PreparedModule>(preparedModuleFromJson, std::move(done)));
}

RequestId EvaluatorClient::verify(const VerifyRequest &request, OnStage onStage, Done<Verdict> done)
{
    return m_channel.send("verify", toJson(request), decodeReply<Verdict>(verdictFromJson, std::move(done)),
                          [onStage = std::move(onStage)](const std::string &name, const Json &payload) {
                              if (name != "stage" || !onStage)
                                  return;
                              if (const Result<Verdict> soFar = verdictFromJson(payload.value("verdict", Json())))
                                  onStage(payload.value("stage", ""), *soFar);
                          });
}

RequestId EvaluatorClient::describeSandbox(Done<Json> done)
{
    return m_channel.send("sandbox", Json::object(), std::move(done));
}

} // namespace dice::services
