#include "answertext.h"

namespace dice::services {

namespace {

constexpr std::string_view fence = "```";

std::string_view withoutBlankEdges(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

} // namespace

std::string kernelOf(std::string_view answer)
{
    std::string_view longest;
    std::size_t open = answer.find(fence);
    const bool isFenced = open != std::string_view::npos;
    while (open != std::string_view::npos) {
        const std::size_t lineEnd = answer.find('\n', open); // behind the language's name
        if (lineEnd == std::string_view::npos)
            break;
        const std::size_t close = answer.find(fence, lineEnd);
        const std::string_view block = answer.substr(lineEnd + 1, close - lineEnd - 1);
        if (block.size() > longest.size())
            longest = block;
        open = close == std::string_view::npos ? close : answer.find(fence, close + fence.size());
    }
    const std::string_view kernel = withoutBlankEdges(isFenced ? longest : answer);
    return kernel.empty() ? std::string() : std::string(kernel) + '\n';
}

} // namespace dice::services
