#include "checkpoint_torch.h"

#include "core/data/json.h"
#include "core/formats/safetensors.h"
#include "core/store/atomicfile.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <vector>

namespace dice::train {

namespace {

constexpr std::uint64_t maxCountersBytes = 1u << 16;
constexpr std::array tokenizerFiles{"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.json",
                                    "merges.txt",     "added_tokens.json",     "chat_template.jinja"};

formats::TensorView viewOf(std::string name, formats::DType type, std::vector<std::int64_t> shape,
                           const at::Tensor &tensor)
{
    return {std::move(name),
            type,
            std::move(shape),
            {static_cast<const std::byte *>(tensor.const_data_ptr()), tensor.nbytes()}};
}

at::Tensor onCpu(const at::Tensor &tensor, at::ScalarType type)
{
    return tensor.detach().to(at::kCPU, type).contiguous();
}

Status writeModel(const std::filesystem::path &folder, const FlatParameters &parameters)
{
    const at::Tensor values = onCpu(parameters.master(), at::kBFloat16);
    std::vector<formats::TensorView> views;
    for (const ParameterSlice &slice : parameters.slices())
        views.push_back(
            viewOf(slice.name, formats::DType::BF16, slice.shape, values.narrow(0, slice.offset, slice.count)));
    return formats::writeSafetensors(folder / "model.safetensors", views);
}

Status writeTrainerState(const std::filesystem::path &folder, const CheckpointSource &source)
{
    const at::Tensor master = onCpu(source.parameters.master(), at::kFloat);
    const at::Tensor first = onCpu(source.optimizer.firstMoment(), at::kFloat);
    const at::Tensor second = onCpu(source.optimizer.secondMoment(), at::kFloat);
    const std::vector<std::int64_t> shape{master.numel()};
    const std::vector<formats::TensorView> views{viewOf("first_moment", formats::DType::F32, shape, first),
                                                 viewOf("master", formats::DType::F32, shape, master),
                                                 viewOf("second_moment", formats::DType::F32, shape, second)};
    if (const Status written = formats::writeSafetensors(folder / "trainer.safetensors", views); !written)
        return written;
    const Json counters{{"step", source.counters.step},
                        {"positions", source.counters.positions},
                        {"elapsed_seconds", source.counters.elapsedSeconds},
                        {"optimizer_steps", source.optimizer.numSteps()}};
    return store::writeFile(folder / "trainer.json", counters.dump(2) + "\n");
}

Status copyTokenizer(const std::filesystem::path &from, const std::filesystem::path &to)
{
    for (const char *name : tokenizerFiles) {
        std::error_code error;
        if (!std::filesystem::exists(from / name, error))
            continue;
        std::filesystem::copy_file(from / name, to / name, std::filesystem::copy_options::overwrite_existing, error);
        if (error)
            return failure(ErrorCode::Io,
                           "the tokenizer could not be copied to " + to.string() + ": "
                               + store::describeErrno(error.value()));
    }
    return {};
}

Status writeContents(const std::filesystem::path &folder, const CheckpointSource &source)
{
    if (const Status written = formats::writeModelConfig(folder, source.config); !written)
        return written;
    if (const Status copied = copyTokenizer(source.tokenizerFolder, folder); !copied)
        return copied;
    if (const Status written = writeModel(folder, source.parameters); !written)
        return written;
    return writeTrainerState(folder, source);
}

Result<at::Tensor> readState(const formats::Weights &weights, const char *name, std::int64_t count)
{
    const Result<formats::TensorView> view = weights.require(name, {count});
    if (!view)
        return tl::unexpected(view.error());
    if (view->dtype != formats::DType::F32)
        return failure(ErrorCode::InvalidData, std::string("trainer state ") + name + " is not float32");
    at::Tensor tensor = at::empty({count}, at::kFloat);
    std::copy(view->bytes.begin(), view->bytes.end(), static_cast<std::byte *>(tensor.data_ptr()));
    return tensor;
}

} // namespace

Status writeCheckpoint(const std::filesystem::path &folder, const CheckpointSource &source)
{
    const std::filesystem::path partial = folder.string() + ".partial";
    std::error_code error;
    std::filesystem::remove_all(partial, error);
    std::filesystem::create_directories(partial, error);
    if (error)
        return failure(ErrorCode::Io,
                       "the checkpoint folder " + partial.string()
                           + " could not be made: " + store::describeErrno(error.value()));
    if (const Status written = writeContents(partial, source); !written) {
        std::filesystem::remove_all(partial, error);
        return written;
    }
    std::filesystem::remove_all(folder, error);
    std::filesystem::rename(partial, folder, error);
    if (error)
        return failure(ErrorCode::Io,
                       "the checkpoint " + folder.string()
                           + " could not be put in place: " + store::describeErrno(error.value()));
    return {};
}

Result<TrainerCounters> readCheckpoint(const std::filesystem::path &folder, FlatParameters &parameters,
                                       FlatAdamW &optimizer)
{
    const at::NoGradGuard noGrad;
    const Result<std::string> text = store::readFile(folder / "trainer.json", maxCountersBytes);
    if (!text)
        return tl::unexpected(text.error());
    const Result<formats::Weights> weights = formats::Weights::openFile(folder / "trainer.safetensors");
    if (!weights)
        return tl::unexpected(weights.error());
    std::array<at::Tensor, 3> tensors;
    constexpr std::array names{"master", "first_moment", "second_moment"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        Result<at::Tensor> tensor = readState(*weights, names[i], parameters.count());
        if (!tensor)
            return tl::unexpected(tensor.error());
        tensors[i] = std::move(*tensor);
    }
    return decodeJson<TrainerCounters>(
        Json::parse(*text, nullptr, false), "trainer.json", [&](const Json &from) -> Result<TrainerCounters> {
            const TrainerCounters counters{from.at("step").get<std::int64_t>(),
                                           from.at("positions").get<std::int64_t>(),
                                           from.at("elapsed_seconds").get<double>()};
            optimizer.restore(tensors[1], tensors[2], from.at("optimizer_steps").get<std::int64_t>());
            parameters.master().copy_(tensors[0]);
            parameters.refreshCompute();
            return counters;
        });
}

} // namespace dice::train
