// The judge's requests as typed calls: prepare a module, verify a candidate, describe the sandbox. Every call returns
// at once and answers once, later. It knows nothing of models.
#pragma once

#include "app/services/processchannel.h"
#include "core/data/modulesource.h"
#include "core/data/verdict.h"
#include "core/data/verifyrequest.h"

namespace dice::services {

class EvaluatorClient : public QObject
{
    Q_OBJECT

public:
    template <typename T> using Done = std::function<void(Result<T>)>;
    using OnStage = std::function<void(const std::string &stage, const Verdict &verdictSoFar)>;

    explicit EvaluatorClient(ProcessProgram program, QObject *parent = nullptr);

    ProcessChannel &channel() { return m_channel; }

    RequestId prepare(const ModuleSource &module, Done<PreparedModule> done);
    RequestId verify(const VerifyRequest &request, OnStage onStage, Done<Verdict> done);
    RequestId describeSandbox(Done<Json> done); // {"layers": [{"name","works","detail","repair"}], "level"}

private:
    ProcessChannel m_channel;
};

} // namespace dice::services
