#include "batchlayout.h"

namespace dice::train {

std::int64_t noisyStart(const Document &document, std::int32_t blockLength)
{
    return document.promptLength / blockLength * blockLength;
}

std::int64_t layoutLength(const Document &document, std::int32_t blockLength)
{
    return 2 * static_cast<std::int64_t>(document.tokens.size()) - noisyStart(document, blockLength);
}

} // namespace dice::train
