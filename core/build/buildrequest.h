// What a candidate asked torch.utils.cpp_extension.load_inline or load to build, as plain data.
// Untrusted: every string comes from the candidate, the choice of headers from the judge's request. Must not know
// compilers or processes.
#pragma once

#include "core/data/verifyrequest.h"

#include <optional>
#include <string>
#include <vector>

namespace dice::build {

struct SourceText
{
    std::string name; // "cuda_source_0.cu": how diagnostics name it; unique within a request
    std::string text;

    bool operator==(const SourceText &) const = default;
};

struct BuildRequest
{
    std::string name; // load_inline's name=; also TORCH_EXTENSION_NAME
    std::vector<SourceText> cppSources;
    std::vector<SourceText> cudaSources;
    // functions= as a list; a dict is given as its keys. Empty: the sources bind themselves (PYBIND11_MODULE).
    std::vector<std::string> functions;
    std::vector<std::string> extraCflags;
    std::vector<std::string> extraCudaCflags;
    BuildHeaders headers = BuildHeaders::Fastest;
    bool isInline = true; // load_inline adds #include lines before the sources, load does not

    bool operator==(const BuildRequest &) const = default;
};

// Names the sources as diagnostics will: "cpp_source_0.cpp", "cuda_source_0.cu", ...
BuildRequest makeInlineRequest(std::string name, std::vector<std::string> cppTexts, std::vector<std::string> cudaTexts);

} // namespace dice::build
