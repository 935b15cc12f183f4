// The special tokens of tokenizers that we train ourselves: what the trainer looks up by name.
#pragma once

namespace dice::train {

inline constexpr const char *endOfTextToken = "<|endoftext|>";
inline constexpr const char *turnStartToken = "<|im_start|>";
inline constexpr const char *turnEndToken = "<|im_end|>"; // ends an answer
inline constexpr const char *padToken = "<|pad|>";
inline constexpr const char *maskToken = "<|MASK|>";

} // namespace dice::train
