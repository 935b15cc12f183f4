// The candidate, in a worker of its own.
#pragma once

#include "core/evaluate/workerprotocol.h"

namespace dice::evaluate {

struct ForwardOptions
{
    bool isChecked = false; // memory accesses are checked
    bool reusesStorage = false; // the inputs' content goes into the storage of the call before
    bool isGhost = false; // own kernels do nothing
};

// What a candidate's process collected beside its answers.
struct CandidateEvidence
{
    std::vector<std::string> replacedNames;
    std::vector<Observation> lateChanges;
    std::vector<std::string> attempts; // Python: files outside, connections, processes
    std::vector<std::string> refusedCalls; // native: stopped by the filter
};

class CandidateSession
{
public:
    CandidateSession(std::unique_ptr<Worker> worker, CancelToken cancel)
        : m_worker(std::move(worker))
        , m_cancel(std::move(cancel))
    {
    }

    const std::string &artefactFolder() const { return m_worker->artefacts.path(); }
    // The path of an artefact as the candidate's box sees it.
    std::string artefactPath(const std::string &name) const { return m_worker->artefactFolderInBox + "/" + name; }
    Box &box() { return m_worker->client.box(); }

    // true: there is a ModelNew. onBuild answers what load_inline asks for.
    Outcome<bool> load(const std::string &text, const WorkerClient::EventHandler &onBuild);
    Outcome<bool> construct(std::uint64_t weightSeed, const CallValues &init);
    Outcome<CandidateCall> forward(const CallValues &inputs, const ForwardOptions &options);
    Outcome<WeightChange> randomiseWeights(std::uint64_t seed);
    Outcome<CandidateEvidence> evidence();
    void kill() { m_worker->client.kill(); }

private:
    Outcome<Json> call(const char *name, Json payload, double limitSeconds);

    std::unique_ptr<Worker> m_worker;
    CancelToken m_cancel;
    WorkerClient::EventHandler m_onBuild;
};

} // namespace dice::evaluate
