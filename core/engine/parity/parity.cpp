#include "parity.h"

#include "core/engine/modelloader_torch.h"
#include "core/engine/parity/blockchecks.h"
#include "core/engine/parity/forwardchecks_torch.h"
#include "core/engine/parity/generationchecks.h"
#include "core/engine/parity/processingchecks.h"
#include "core/engine/parity/recorder.h"
#include "core/engine/parity/storedfiles.h"
#include "core/engine/torchborder.h"

#include <algorithm>

namespace dice::engine {

namespace {

using std::filesystem::path;

enum class FixtureKind { Model, Tokenizer, LogitsProcessing, Unknown };

FixtureKind kindOf(const path &folder)
{
    const auto has = [&](const char *name) { return std::filesystem::exists(folder / name); };
    if (has("config.json") && has("expected.safetensors"))
        return FixtureKind::Model;
    if (has("vectors.json"))
        return FixtureKind::Tokenizer;
    if (has("expected.json") && has("expected.safetensors")
        && folder.lexically_normal().string().find("training") == std::string::npos)
        return FixtureKind::LogitsProcessing;
    return FixtureKind::Unknown;
}

Status checkTokenizer(const path &folder, parity::Recorder &recorder)
{
    const Result<std::vector<Check>> checks = formats::checkTokenizerFolder(folder);
    if (!checks)
        return tl::unexpected(checks.error());
    for (const Check &check : *checks)
        recorder.add(check);
    return {};
}

Status checkProcessing(const path &folder, parity::Recorder &recorder)
{
    const Result<parity::StoredTensors> stored = parity::readStoredTensors(folder / "expected.safetensors");
    if (!stored)
        return tl::unexpected(stored.error());
    const Result<Json> document = parity::readJsonFile(folder / "expected.json");
    if (!document)
        return tl::unexpected(document.error());
    parity::checkLogitsProcessing(*stored, *document, recorder);
    return {};
}

Status checkInfillingFile(const path &folder, LoadedModel &loaded, parity::Recorder &recorder)
{
    if (!std::filesystem::exists(folder / "infilling.json"))
        return {};
    const Result<Json> infilling = parity::readJsonFile(folder / "infilling.json");
    if (!infilling)
        return tl::unexpected(infilling.error());
    parity::checkInfilling(*loaded.model, TokenId(loaded.config.maskTokenId.value()), *infilling, recorder);
    return {};
}

// Whole forwards in tensors: besides logits they show what happens inside.
Status checkTensors(const path &folder, const std::string &deviceName, const parity::StoredTensors &stored,
                    parity::Recorder &recorder)
{
    const Result<formats::ModelConfig> config = formats::readModelConfig(folder);
    if (!config)
        return tl::unexpected(config.error());
    const Result<at::Device> device = deviceFromString(deviceName);
    if (!device)
        return tl::unexpected(device.error());
    const at::TensorOptions options = at::TensorOptions().device(*device).dtype(at::kFloat);
    const Result<std::unique_ptr<SdarModel>> model = loadTensorModel(folder, *config, options);
    if (!model)
        return tl::unexpected(model.error());
    parity::checkForwards({**model, *config, options}, stored, recorder);
    return {};
}

Status checkModel(const path &folder, const std::string &device, parity::Recorder &recorder)
{
    Result<LoadedModel> loaded = loadModel(folder, device, "float32");
    if (!loaded)
        return tl::unexpected(loaded.error());
    const Result<parity::StoredTensors> stored = parity::readStoredTensors(folder / "expected.safetensors");
    if (!stored)
        return tl::unexpected(stored.error());
    const Result<Json> generations = parity::readJsonFile(folder / "generations.json");
    if (!generations)
        return tl::unexpected(generations.error());
    if (const Status status = checkTensors(folder, device, *stored, recorder); !status)
        return status;
    parity::checkBlocks(*loaded->model, *stored, recorder);
    parity::checkCacheCalls(*loaded->model, *stored, *generations, recorder);
    const TokenId maskToken(loaded->config.maskTokenId.value());
    parity::checkGenerations(*loaded->model, maskToken, *generations, recorder);
    return checkInfillingFile(folder, *loaded, recorder);
}

Status check(const path &folder, const std::string &device, parity::Recorder &recorder)
{
    switch (kindOf(folder)) {
    case FixtureKind::Model:
        return checkModel(folder, device, recorder);
    case FixtureKind::Tokenizer:
        return checkTokenizer(folder, recorder);
    case FixtureKind::LogitsProcessing:
        return checkProcessing(folder, recorder);
    case FixtureKind::Unknown:
        break;
    }
    return failure(ErrorCode::InvalidArgument,
                   folder.string()
                       + " holds no reference outputs; give a folder of the fixtures: models/sdar, "
                         "models/sdar-sharded, tokenizer or logits_processing");
}

} // namespace

int ParityReport::numFailed() const
{
    return static_cast<int>(
        std::count_if(checks.begin(), checks.end(), [](const Check &item) { return !item.passed; }));
}

Result<ParityReport> checkParity(const path &folder, const std::string &device, const CheckCallback &onCheck)
{
    if (!std::filesystem::is_directory(folder))
        return failure(ErrorCode::InvalidArgument, folder.string() + ": there is no such folder");
    return guarded("comparing with " + folder.string(), [&]() -> Result<ParityReport> {
        parity::Recorder recorder(onCheck);
        try {
            if (const Status status = check(folder, device, recorder); !status)
                return tl::unexpected(status.error());
        } catch (const parity::Interrupted &) {
            return failure(ErrorCode::Cancelled, "the comparison was stopped");
        }
        return recorder.take();
    });
}

} // namespace dice::engine
