// Reads the files of a fixture folder: tensors as plain vectors, JSON documents.
#pragma once

#include "core/base/ids.h"
#include "core/data/json.h"
#include "core/formats/safetensors.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dice::engine::parity {

// The tensors of an expected.safetensors file. A name that is absent, or one of another type, throws
// std::runtime_error: such a file is no fixture.
class StoredTensors
{
public:
    explicit StoredTensors(formats::Weights file);

    std::vector<std::string> names() const;
    bool contains(const std::string &name) const { return m_file.find(name) != nullptr; }
    std::vector<std::int64_t> shape(const std::string &name) const;
    std::vector<float> floats(const std::string &name) const;
    std::vector<std::int64_t> integers(const std::string &name) const;
    std::vector<TokenId> tokens(const std::string &name) const;
    // What went in for `logitsName`: "p1.b4.padded.logits" has input ids of its own, "p1.b4.logits" shares "p1".
    std::vector<TokenId> inputOf(const std::string &logitsName) const;

private:
    const formats::TensorView &view(const std::string &name, formats::DType type) const;

    formats::Weights m_file;
};

Result<StoredTensors> readStoredTensors(const std::filesystem::path &file);
Result<Json> readJsonFile(const std::filesystem::path &file);
std::vector<TokenId> tokensOf(const Json &ids);

} // namespace dice::engine::parity
