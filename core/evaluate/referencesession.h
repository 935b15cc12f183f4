// The task, in a worker of its own: where inputs, expected outputs and the task's audit come from.
#pragma once

#include "core/evaluate/workerprotocol.h"

namespace dice::evaluate {

struct ScalingPlan
{
    std::string status; // of scaling.py: "fits", "scaled", "cannot"
    std::string reason;
    Json constants = Json::object(); // integer constants of the module, as used
    std::vector<std::pair<std::string, std::pair<std::int64_t, std::int64_t>>> sizes; // name: original, used
};

struct ExpectedOutput
{
    CallValues values;
    std::vector<OperationCount> operations;
};

class ReferenceSession
{
public:
    ReferenceSession(std::unique_ptr<Worker> worker, CancelToken cancel)
        : m_worker(std::move(worker))
        , m_cancel(std::move(cancel))
    {
    }

    // With caps for the CPU device, or as it stands.
    enum class Sizes { ScaledForCpu, AsWritten };
    Outcome<ScalingPlan> load(const std::string &text, Sizes sizes);
    // The arguments of the constructor. `constants` replace the module's own of those names.
    Outcome<CallValues> construct(std::uint64_t weightSeed, const Json &constants);
    Outcome<CallValues> inputs(std::uint64_t seed);
    // The same inputs but for one element; nothing when the task allows no such change.
    Outcome<std::optional<CallValues>> nearDuplicate(const CallValues &inputs, std::uint64_t seed);
    Outcome<ExpectedOutput> forward(const CallValues &inputs);
    Outcome<WeightChange> randomiseWeights(std::uint64_t seed);
    Outcome<std::vector<Observation>> audit(std::uint64_t seed);

private:
    Outcome<Json> call(const char *name, Json payload, double limitSeconds);
    template <typename T, typename Read> Outcome<T> read(Outcome<Json> reply, Read read);
    std::span<const std::byte> arena() const { return m_worker->client.box().outputArena().bytes(); }

    std::unique_ptr<Worker> m_worker;
    CancelToken m_cancel;
};

} // namespace dice::evaluate
