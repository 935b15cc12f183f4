#include "buildrequest.h"

#include <utility>

namespace dice::build {

BuildRequest makeInlineRequest(std::string name, std::vector<std::string> cppTexts, std::vector<std::string> cudaTexts)
{
    BuildRequest request;
    request.name = std::move(name);
    for (std::size_t i = 0; i < cppTexts.size(); ++i)
        request.cppSources.push_back({"cpp_source_" + std::to_string(i) + ".cpp", std::move(cppTexts[i])});
    for (std::size_t i = 0; i < cudaTexts.size(); ++i)
        request.cudaSources.push_back({"cuda_source_" + std::to_string(i) + ".cu", std::move(cudaTexts[i])});
    return request;
}

} // namespace dice::build
