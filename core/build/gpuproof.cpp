#include "gpuproof.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <sstream>

namespace dice::build {

namespace {

// NVRTC's interface, as its header declares it: only what is called here.
struct NvrtcProgram;
using Program = NvrtcProgram *;
constexpr int success = 0;
constexpr int compilationError = 6;
struct Nvrtc
{
    int (*createProgram)(Program *, const char *, const char *, int, const char *const *, const char *const *);
    int (*addNameExpression)(Program, const char *);
    int (*compileProgram)(Program, int, const char *const *);
    int (*getProgramLogSize)(Program, std::size_t *);
    int (*getProgramLog)(Program, char *);
    int (*getCubinSize)(Program, std::size_t *);
    int (*getCubin)(Program, char *);
    int (*destroyProgram)(Program *);
    const char *(*getErrorString)(int);
};

template <class Function> bool resolve(void *library, const char *name, Function &function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

// NVRTC opens its second library by name alone, which is found when it is loaded already.
void loadBuiltins(const std::filesystem::path &folder)
{
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with("libnvrtc-builtins.so"))
            dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    }
}

Result<Nvrtc> loadNvrtc(const std::string &path)
{
    loadBuiltins(std::filesystem::path(path).parent_path());
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // stays for the life of the process
    if (library == nullptr)
        return failure(ErrorCode::NotFound, "NVRTC cannot be loaded from " + path + ": run the set-up again",
                       dlerror());
    Nvrtc nvrtc{};
    const bool isComplete = resolve(library, "nvrtcCreateProgram", nvrtc.createProgram)
        && resolve(library, "nvrtcAddNameExpression", nvrtc.addNameExpression)
        && resolve(library, "nvrtcCompileProgram", nvrtc.compileProgram)
        && resolve(library, "nvrtcGetProgramLogSize", nvrtc.getProgramLogSize)
        && resolve(library, "nvrtcGetProgramLog", nvrtc.getProgramLog)
        && resolve(library, "nvrtcGetCUBINSize", nvrtc.getCubinSize)
        && resolve(library, "nvrtcGetCUBIN", nvrtc.getCubin)
        && resolve(library, "nvrtcDestroyProgram", nvrtc.destroyProgram)
        && resolve(library, "nvrtcGetErrorString", nvrtc.getErrorString);
    if (!isComplete)
        return failure(ErrorCode::Unsupported, path + " lacks functions of NVRTC 11.1 or later");
    return nvrtc;
}

std::string logOf(const Nvrtc &nvrtc, Program program)
{
    std::size_t size = 0;
    if (nvrtc.getProgramLogSize(program, &size) != 0 || size <= 1)
        return {};
    std::string log(size, '\0');
    nvrtc.getProgramLog(program, log.data());
    log.resize(size - 1);
    return log;
}

} // namespace

Result<GpuCompileResult> compileForGpu(const GpuSource &source, const std::string &architecture,
                                       const std::string &nvrtcLibrary)
{
    const auto start = std::chrono::steady_clock::now();
    const Result<Nvrtc> nvrtc = loadNvrtc(nvrtcLibrary);
    if (!nvrtc)
        return tl::unexpected(nvrtc.error());
    Program program = nullptr;
    if (const int status = nvrtc->createProgram(&program, source.text.c_str(), "device.cu", 0, nullptr, nullptr))
        return failure(ErrorCode::Internal, std::string("NVRTC refuses a program: ") + nvrtc->getErrorString(status));
    for (const std::string &expression : source.nameExpressions)
        nvrtc->addNameExpression(program, expression.c_str());
    const std::string target = "--gpu-architecture=" + architecture;
    std::vector<const char *> options = {target.c_str()};
    for (const std::string &option : source.options)
        options.push_back(option.c_str());
    GpuCompileResult result;
    const int status = nvrtc->compileProgram(program, int(options.size()), options.data());
    result.isBuilt = status == success;
    result.log = logOf(*nvrtc, program);
    if (status != success && status != compilationError) {
        nvrtc->destroyProgram(&program);
        return failure(ErrorCode::Unsupported,
                       std::string("NVRTC does not work here: ") + nvrtc->getErrorString(status), result.log);
    }
    std::size_t size = 0;
    if (result.isBuilt && nvrtc->getCubinSize(program, &size) == 0 && size != 0) {
        result.cubin.resize(size);
        nvrtc->getCubin(program, result.cubin.data());
    }
    nvrtc->destroyProgram(&program);
    result.durationNs
        = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
    return result;
}

std::string gpuRefutation(const std::string &log)
{
    // Only what cannot be an accident of the extraction: resources of the GPU, calls of host functions.
    constexpr std::array signs{"ptxas error", "too much shared data", "calling a __host__ function",
                               "dynamic initialization is not supported"};
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        const auto isIn = [&line](const char *sign) { return line.find(sign) != std::string::npos; };
        if (std::any_of(signs.begin(), signs.end(), isIn))
            return line;
    }
    return {};
}

} // namespace dice::build
