// The values of a call (inputs, outputs) as a tree beside raw bytes: what crosses between worker and judge.
// The tree comes from an untrusted process: parseValue checks every size before anyone follows an offset.
// Must not know torch.
#pragma once

#include "core/data/json.h"
#include "core/evaluate/numberformats.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dice::evaluate {

enum class ValueKind { Tensor, Sequence, Dict, None, Bool, Int, Float, Text, Other };

struct TensorLayout
{
    const NumberFormat *format = nullptr;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> stride; // elements, not negative
    std::size_t offset = 0; // bytes into CallValues::bytes
    std::size_t sizeBytes = 0; // from the first to the last element

    std::int64_t numElements() const;
};

struct Value
{
    ValueKind kind = ValueKind::None;
    TensorLayout tensor;
    std::vector<Value> items; // of a Sequence (list or tuple) or a Dict
    std::vector<std::string> keys; // of a Dict: as written in the path of an element
    std::string text; // Bool, Int, Float, Text: canonical; Other: what it is
    double number = 0.0; // Float
};

// A tree and the bytes its tensors lie in, owned: what a worker changes later has no effect.
struct CallValues
{
    Json tree; // as the worker wrote it, to hand on to another worker
    Value root;
    std::vector<std::byte> bytes;
};

// InvalidData unless every tensor lies in `arena` and its strides stay inside its bytes.
Result<Value> parseValue(const Json &tree, std::size_t arenaBytes);

// Copies the part of the arena that the tree uses.
Result<CallValues> takeValues(const Json &tree, std::span<const std::byte> arena);

std::int64_t numElements(const Value &value);

// Digest of structure and content, for "unchanged since": not for anything an adversary may choose freely.
std::uint64_t digest(const CallValues &values);

} // namespace dice::evaluate
