// A compiled split pattern of a pre-tokenizer: PCRE2 with UTF and Unicode properties, just-in-time compiled.
#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dice::formats {

// Safe to use from several threads at once.
class SplitPattern
{
public:
    static Result<SplitPattern> compile(const std::string &pattern);

    // Appends the matches and what lies between them, in order ("isolated"); together they are the whole text again.
    // `text` must be UTF-8.
    void split(std::string_view text, std::vector<std::string_view> &pieces) const;
    const std::string &source() const { return m_source; }

private:
    struct Code;
    std::string m_source;
    std::shared_ptr<const Code> m_code;
};

} // namespace dice::formats
