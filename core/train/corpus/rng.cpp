#include "rng.h"

#include <algorithm>

namespace dice::corpus {

std::string Rng::pick(std::string_view words, char separator)
{
    int chosen = below(int(std::count(words.begin(), words.end(), separator)) + 1);
    for (; chosen > 0; --chosen)
        words.remove_prefix(words.find(separator) + 1);
    return std::string(words.substr(0, words.find(separator)));
}

} // namespace dice::corpus
