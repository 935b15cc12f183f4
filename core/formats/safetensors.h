// Weights files: reads safetensors (one file, or shards behind model.safetensors.index.json) through a read-only
// memory map, and writes them atomically. Nothing in a file is trusted before it is checked. Knows no Torch: a tensor
// is a name, a type, a shape and bytes.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dice::formats {

enum class DType { Bool, U8, I8, F8E4M3, F8E5M2, U16, I16, F16, BF16, U32, I32, F32, U64, I64, F64 };

std::size_t itemSize(DType type);
const char *toString(DType type); // as written in the file: "F32", "BF16", ...
Result<DType> dtypeFromString(std::string_view name);

// Little-endian, row-major, contiguous. The bytes belong to the Weights that gave the view, and may lie unaligned.
struct TensorView
{
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape; // empty for a scalar
    std::span<const std::byte> bytes;

    std::int64_t elementCount() const;
};

using TensorMetadata = std::map<std::string, std::string>;

// All tensors of one file or of one model folder, sorted by name. Cheap to move and to copy: the maps are shared.
class Weights
{
public:
    static Result<Weights> openFile(const std::filesystem::path &file);
    // model.safetensors, or the shards that model.safetensors.index.json names; the index must agree with the shards.
    static Result<Weights> openFolder(const std::filesystem::path &folder);

    const std::vector<TensorView> &tensors() const { return m_tensors; }
    const TensorView *find(std::string_view name) const; // nullptr when absent
    // Like find, but an Error that names the tensor, and checks type-independent facts: the shape.
    Result<TensorView> require(std::string_view name, const std::vector<std::int64_t> &shape) const;
    const TensorMetadata &metadata() const { return m_metadata; }

private:
    class Map;
    friend struct WeightsReader;

    std::vector<TensorView> m_tensors;
    TensorMetadata m_metadata;
    std::vector<std::shared_ptr<const Map>> m_maps;
};

// Writes into a temporary file beside `file`, syncs and renames it: after any failure the old file is still whole.
Status writeSafetensors(const std::filesystem::path &file, std::span<const TensorView> tensors,
                        const TensorMetadata &metadata = {{"format", "pt"}});

} // namespace dice::formats
