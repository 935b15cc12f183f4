// Compares a tokenizer folder with the reference outputs stored beside it, one named check a case group.
// For `dice model parity`; changes nothing.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dice::formats {

struct Check
{
    std::string name;
    bool passed = false;
    std::string detail; // what was compared, or the first difference
};

// vectors.json (cases, decode_only, pre_tokenizer_pieces) and chat_template_cases.json, each when it is there.
// Each form of the tokenizer that the folder holds (tokenizer.json; vocab.json + merges.txt) is checked alone.
Result<std::vector<Check>> checkTokenizerFolder(const std::filesystem::path &folder);

} // namespace dice::formats
