#include "core/evaluate/gpuprover.h"

#include "core/build/artefactkey.h"
#include "core/build/gpuproof.h"

namespace dice::evaluate {

namespace {

constexpr double nvrtcLimitSeconds = 30.0;
constexpr std::size_t maxLogBytes = 8 << 10;
constexpr const char *gpuArchitecture = "sm_90";

std::string keyOf(const Json &request)
{
    return build::sha256Hex("gpu proof 1 " + request.dump());
}

GpuProof proofOf(const Json &reply)
{
    GpuProof proof;
    proof.architecture = gpuArchitecture;
    proof.isProven = reply.value("ok", false);
    if (!proof.isProven) {
        proof.log = reply.value("log", "");
        proof.refutation = build::gpuRefutation(proof.log);
    }
    return proof;
}

} // namespace

GpuProof GpuProver::prove(const build::GpuSource &source, Worker *box, const CancelToken &cancel)
{
    if (source.text.empty())
        return {};
    const Json request{{"source", source.text},
                       {"options", source.options},
                       {"name_expressions", source.nameExpressions},
                       {"architecture", gpuArchitecture},
                       {"library", m_installation.sitePackages + "/nvidia/cu13/lib/libnvrtc.so.13"}};
    const std::string key = keyOf(request);
    if (const std::optional<build::CachedArtefact> known = m_cache.find(key))
        if (const Json reply = Json::parse(known->report, nullptr, false); reply.is_object())
            return proofOf(reply);
    std::unique_ptr<Worker> own;
    if (box == nullptr) {
        Result<std::unique_ptr<Worker>> taken = m_pool.take(WorkerRole::Build, cancel);
        if (!taken)
            return {};
        own = std::move(*taken);
        box = own.get();
    }
    const Result<Json> reply = box->client.call("nvrtc", request, {nvrtcLimitSeconds, cancel, {}});
    if (!reply)
        return {};
    const std::string log = reply->value("log", "").substr(0, maxLogBytes);
    const Json kept{{"ok", reply->value("ok", false)}, {"log", log}};
    // A cache that cannot be written costs time, not the proof.
    (void)m_cache.store(key, {}, kept.dump(-1, ' ', false, Json::error_handler_t::replace));
    return proofOf(kept);
}

std::future<GpuProof> GpuProver::start(build::GpuSource source, std::unique_ptr<Worker> box, CancelToken cancel)
{
    return std::async(std::launch::async,
                      [this, source = std::move(source), box = std::move(box), cancel = std::move(cancel)] {
                          return prove(source, box.get(), cancel);
                      });
}

} // namespace dice::evaluate
