#include "storedfiles.h"

#include <cstring>
#include <fstream>
#include <stdexcept>

namespace dice::engine::parity {

namespace {

// The bytes of a file may lie unaligned.
template <typename Number> std::vector<Number> copyNumbers(const formats::TensorView &view)
{
    std::vector<Number> numbers(view.bytes.size() / sizeof(Number));
    std::memcpy(numbers.data(), view.bytes.data(), numbers.size() * sizeof(Number));
    return numbers;
}

} // namespace

StoredTensors::StoredTensors(formats::Weights file)
    : m_file(std::move(file))
{
}

std::vector<std::string> StoredTensors::names() const
{
    std::vector<std::string> names;
    for (const formats::TensorView &tensor : m_file.tensors())
        names.push_back(tensor.name);
    return names;
}

const formats::TensorView &StoredTensors::view(const std::string &name, formats::DType type) const
{
    const formats::TensorView *found = m_file.find(name);
    if (!found || found->dtype != type)
        throw std::runtime_error("expected.safetensors has no tensor " + name + " of type " + formats::toString(type));
    return *found;
}

std::vector<std::int64_t> StoredTensors::shape(const std::string &name) const
{
    const formats::TensorView *found = m_file.find(name);
    return found ? found->shape : std::vector<std::int64_t>();
}

std::vector<float> StoredTensors::floats(const std::string &name) const
{
    return copyNumbers<float>(view(name, formats::DType::F32));
}

std::vector<std::int64_t> StoredTensors::integers(const std::string &name) const
{
    return copyNumbers<std::int64_t>(view(name, formats::DType::I64));
}

std::vector<TokenId> StoredTensors::tokens(const std::string &name) const
{
    std::vector<TokenId> tokens;
    for (const std::int64_t id : integers(name))
        tokens.push_back(TokenId(static_cast<std::int32_t>(id)));
    return tokens;
}

std::vector<TokenId> StoredTensors::inputOf(const std::string &logitsName) const
{
    const std::string own = logitsName.substr(0, logitsName.rfind('.')) + ".input_ids";
    return tokens(contains(own) ? own : logitsName.substr(0, logitsName.find('.')) + ".input_ids");
}

Result<StoredTensors> readStoredTensors(const std::filesystem::path &file)
{
    Result<formats::Weights> weights = formats::Weights::openFile(file);
    if (!weights)
        return tl::unexpected(weights.error());
    return StoredTensors(std::move(*weights));
}

Result<Json> readJsonFile(const std::filesystem::path &file)
{
    std::ifstream stream(file);
    if (!stream)
        return failure(ErrorCode::NotFound, file.string() + " cannot be read");
    Json document = Json::parse(stream, nullptr, false);
    if (document.is_discarded())
        return failure(ErrorCode::InvalidData, file.string() + " is not JSON");
    return document;
}

std::vector<TokenId> tokensOf(const Json &ids)
{
    std::vector<TokenId> tokens;
    for (const Json &id : ids)
        tokens.push_back(TokenId(id.get<std::int32_t>()));
    return tokens;
}

} // namespace dice::engine::parity
