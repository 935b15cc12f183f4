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

std::string Rng::decimalNear(double base)
{
    const int numDigits = between(1, 3);
    int64_t scale = 1;
    for (int k = 0; k < numDigits; ++k)
        scale *= 10;
    const int64_t value = std::max<int64_t>(1, int64_t(base * double(scale) * (0.5 + below(1000) / 1000.0)));
    std::string fraction = std::to_string(scale + value % scale).substr(1);
    while (fraction.size() > 1 && fraction.back() == '0')
        fraction.pop_back();
    return std::to_string(value / scale) + "." + fraction;
}

} // namespace dice::corpus
