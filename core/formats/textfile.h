// Whole small files: read with a size cap, replaced atomically. Knows no format.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace dice::formats {

constexpr std::size_t maxTextFileBytes = std::size_t{256} << 20;

// `what` names the file's part for the user ("tokenizer"): "tokenizer /a/b.json: no such file; ...".
Result<std::string> readTextFile(const std::filesystem::path &file, std::string_view what);
Result<nlohmann::json> readJsonFile(const std::filesystem::path &file, std::string_view what);
// Keeps the order of keys, for what a template prints. Its look-ups are linear: not for vocabularies.
Result<nlohmann::ordered_json> readOrderedJsonFile(const std::filesystem::path &file, std::string_view what);

// Receives bytes in order; false once a write has failed.
using ByteSink = std::function<bool(std::span<const std::byte>)>;
// Calls `produce` with a sink into a temporary file beside `file`, syncs and renames it. After any failure, a full
// disk among them, the old file is whole and the temporary one is gone.
Status replaceFile(const std::filesystem::path &file, const std::function<void(const ByteSink &)> &produce);
Status replaceFile(const std::filesystem::path &file, std::string_view content);

} // namespace dice::formats
