// The header of one safetensors file: 8 bytes little-endian length, JSON of that length, then the tensors' bytes
// without gap or overlap. Checks everything a hostile file could lie about.
#pragma once

#include "core/formats/safetensors.h"

namespace dice::formats {

struct SafetensorsHeader
{
    std::vector<TensorView> tensors; // views into the given bytes
    TensorMetadata metadata;
};

// More than any model needs (an 8 B model has 33 KB), little enough that parsing cannot fill the memory.
constexpr std::uint64_t maxHeaderBytes = std::uint64_t{32} << 20;

Result<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::byte> file, const std::string &path);

struct SafetensorsLayout
{
    std::string header; // length prefix and padding included
    std::vector<std::size_t> order; // tensors by falling item size, so that each is aligned
};

Result<SafetensorsLayout> layOutSafetensors(std::span<const TensorView> tensors, const TensorMetadata &metadata);

} // namespace dice::formats
