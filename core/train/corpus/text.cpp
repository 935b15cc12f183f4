#include "text.h"

namespace dice::corpus {

void replaceAll(std::string &text, std::string_view from, std::string_view to)
{
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

} // namespace dice::corpus
