#include "trainer.h"

#include "core/engine/torchborder.h"
#include "core/train/modelconfigs.h"
#include "core/train/sfttrainer_torch.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace dice::train {

namespace {

Result<at::Device> chooseDevice(const std::string &name)
{
    if (name == "auto")
        return at::hasCUDA() ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    if (name != "cpu" && !name.starts_with("cuda"))
        return failure(ErrorCode::InvalidArgument, "unknown device \"" + name + "\"; use auto, cpu or cuda:N");
    if (name != "cpu" && !at::hasCUDA())
        return failure(ErrorCode::InvalidArgument, "there is no CUDA device here; use --device cpu");
    return at::Device(name);
}

Result<store::RunFolder> openRun(const SftRun &run)
{
    return run.start == RunStart::New ? store::RunFolder::create(run.folder, toJson(run.config))
                                      : store::RunFolder::open(run.folder);
}

Result<SftSetup> setUp(const SftRun &run)
{
    TrainConfig config = run.config;
    if (run.start == RunStart::New) {
        // A configuration that cannot be trained must not leave a run folder behind.
        if (const Status valid = validate(config); !valid)
            return tl::unexpected(valid.error());
    } else {
        const Result<store::RunFolder> earlier = store::RunFolder::open(run.folder);
        if (!earlier)
            return tl::unexpected(earlier.error());
        Result<TrainConfig> stored = trainConfigFromJson(earlier->config());
        if (!stored)
            return tl::unexpected(stored.error());
        config = std::move(*stored);
    }
    const bool goesOn = !config.initialFolder.empty();
    const std::filesystem::path tokenizerFolder = goesOn ? config.initialFolder : config.tokenizerFolder;
    Result<formats::ModelConfig> model
        = goesOn ? readTrainableConfig(config.initialFolder) : newModelConfig(config.model, tokenizerFolder);
    if (!model)
        return tl::unexpected(model.error());
    const Result<at::Device> device = chooseDevice(config.device);
    if (!device)
        return tl::unexpected(device.error());
    Result<store::RunFolder> folder = openRun(run);
    if (!folder)
        return tl::unexpected(folder.error());
    return SftSetup{std::move(config), std::move(*model), tokenizerFolder, std::move(*folder), *device};
}

int numThreadsOf(const TrainConfig &config)
{
    if (config.numWorkers > 0)
        return config.numWorkers;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
}

Result<std::vector<DocumentMaker>> makeDocumentMakers(const std::filesystem::path &tokenizerFolder,
                                                      const DocumentFormat &format, int count)
{
    std::vector<DocumentMaker> makers;
    for (int i = 0; i < count; ++i) {
        Result<DocumentMaker> maker = DocumentMaker::fromFolder(tokenizerFolder, format);
        if (!maker)
            return tl::unexpected(maker.error());
        makers.push_back(std::move(*maker));
    }
    return makers;
}

// With a dense mask cuDNN's kernels take 0.4 of the time of the next best on an H200 (docs/results.md).
void preferFastestAttention()
{
    using at::SDPBackend;
    std::vector<std::int64_t> order;
    for (const SDPBackend backend : {SDPBackend::cudnn_attention, SDPBackend::flash_attention,
                                     SDPBackend::efficient_attention, SDPBackend::math, SDPBackend::overrideable})
        order.push_back(static_cast<std::int64_t>(backend));
    at::globalContext().setSDPPriorityOrder(order);
    at::globalContext().setSDPUseCuDNN(true); // switched off where a model was loaded to generate
}

Status loadStart(SftTrainer &trainer, const SftRun &run, const std::string &initialFolder)
{
    if (run.start == RunStart::Resume)
        return trainer.resume();
    if (initialFolder.empty())
        return {};
    const Result<formats::Weights> weights = formats::Weights::openFolder(initialFolder);
    if (!weights)
        return tl::unexpected(weights.error());
    return trainer.startFrom(*weights);
}

} // namespace

Result<TrainSummary> trainSft(const SftRun &run, const PairSource &source, const StepCallback &onStep,
                              const CancelToken &cancel)
{
    return engine::guarded("training", [&]() -> Result<TrainSummary> {
        Result<SftSetup> setup = setUp(run);
        if (!setup)
            return tl::unexpected(setup.error());
        const std::string initialFolder = setup->config.initialFolder;
        const DocumentFormat format{static_cast<std::int32_t>(setup->model.blockLength), *setup->model.padTokenId,
                                    setup->model.eosTokenIds.front(),
                                    static_cast<std::size_t>(setup->config.maxDocumentTokens)};
        const Result<std::vector<DocumentMaker>> makers
            = makeDocumentMakers(setup->tokenizerFolder, format, numThreadsOf(setup->config));
        if (!makers)
            return tl::unexpected(makers.error());
        preferFastestAttention();
        SftTrainer trainer(std::move(*setup), source, *makers);
        if (const Status loaded = loadStart(trainer, run, initialFolder); !loaded)
            return tl::unexpected(loaded.error());
        return trainer.train(onStep, cancel);
    });
}

} // namespace dice::train
