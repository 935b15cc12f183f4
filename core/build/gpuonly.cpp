#include "gpuonly.h"

#include "tokens.h"

#include <array>

namespace dice::build {

namespace {

struct Feature
{
    std::string_view word; // an identifier, or its beginning when isPrefix
    bool isPrefix;
    std::string_view what;
};

constexpr std::array features = {
    Feature{"asm", false, "inline PTX"},
    Feature{"__asm__", false, "inline PTX"},
    Feature{"__asm", false, "inline PTX"},
    Feature{"nvcuda", false, "tensor-core operations (wmma)"},
    Feature{"wmma", false, "tensor-core operations (wmma)"},
    Feature{"mma_sync", false, "tensor-core operations (wmma)"},
    Feature{"cublas", true, "the cuBLAS library"},
    Feature{"CUBLAS_", true, "the cuBLAS library"},
    Feature{"getCurrentCUDABlasHandle", false, "the cuBLAS library"},
    Feature{"getCurrentCUDABlasLtHandle", false, "the cuBLAS library"},
    Feature{"cudnn", true, "the cuDNN library"},
    Feature{"CUDNN_", true, "the cuDNN library"},
    Feature{"getCudnnHandle", false, "the cuDNN library"},
    Feature{"cusolver", true, "the cuSOLVER library"},
    Feature{"cusparse", true, "the cuSPARSE library"},
    Feature{"cufft", true, "the cuFFT library"},
    Feature{"curand", true, "the cuRAND library"},
    Feature{"nccl", true, "the NCCL library"},
    Feature{"thrust", false, "the Thrust library"},
    Feature{"cub", false, "the CUB library"},
    Feature{"cutlass", false, "the CUTLASS library"},
    Feature{"cute", false, "the CUTLASS library"},
    Feature{"cudaTextureObject_t", false, "textures"},
    Feature{"cudaSurfaceObject_t", false, "surfaces"},
    Feature{"tex1Dfetch", false, "textures"},
    Feature{"tex2D", false, "textures"},
    Feature{"this_grid", false, "grid-wide synchronisation"},
    Feature{"grid_group", false, "grid-wide synchronisation"},
    Feature{"cudaLaunchCooperativeKernel", false, "a cooperative launch"},
    Feature{"this_cluster", false, "thread-block clusters"},
    Feature{"cluster_group", false, "thread-block clusters"},
    Feature{"__cluster_dims__", false, "thread-block clusters"},
    Feature{"cudaLaunchKernelEx", false, "thread-block clusters"},
    Feature{"cudaLaunchKernel", false, "a launch by address"},
    Feature{"cuLaunchKernel", false, "the CUDA driver's interface"},
    Feature{"cudaGraph_t", false, "CUDA graphs"},
    Feature{"cudaStreamBeginCapture", false, "CUDA graphs"},
    Feature{"cudaDeviceSetLimit", false, "device limits"},
    Feature{"cudaStreamSetAttribute", false, "stream attributes"},
    Feature{"memcpy_async", false, "asynchronous copies"},
    Feature{"__pipeline_memcpy_async", false, "asynchronous copies"},
};

const Feature *featureOf(const Token &token)
{
    for (const Feature &feature : features) {
        if (feature.isPrefix ? token.text.starts_with(feature.word) : token.is(feature.word))
            return &feature;
    }
    return nullptr;
}

// "cub" and "cute" are libraries only as namespaces; anything may be a member or a variable.
bool isUse(const std::vector<Token> &tokens, std::size_t at, const Feature &feature)
{
    if (at > 0 && (tokens[at - 1].is(".") || tokens[at - 1].is("->")))
        return false;
    const bool isNamespace = feature.word == "cub" || feature.word == "thrust" || feature.word == "cutlass"
        || feature.word == "cute" || feature.word == "wmma";
    return !isNamespace || (at + 1 < tokens.size() && tokens[at + 1].is("::"))
        || (at > 0 && tokens[at - 1].is("namespace"));
}

} // namespace

std::string needsGpuReason(const BuildRequest &request)
{
    for (const auto *sources : {&request.cudaSources, &request.cppSources}) {
        for (const SourceText &source : *sources) {
            const std::vector<Token> tokens = tokenize(source.text);
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                const Feature *feature = tokens[i].isIdentifier() ? featureOf(tokens[i]) : nullptr;
                if (feature != nullptr && isUse(tokens, i, *feature))
                    return "it uses " + std::string(feature->what) + " ('" + std::string(tokens[i].text) + "', line "
                        + std::to_string(tokens[i].line) + " of " + source.name + "), which only a GPU runs";
            }
        }
    }
    return {};
}

} // namespace dice::build
