// A corpus of four pairs for tests of the trainer: a tiny model learns it in seconds.
#pragma once

#include "core/train/trainer.h"

#include <cstdint>
#include <string>

namespace dice::train {

inline TrainingPair tinyPair(std::uint64_t seed)
{
    const char *const names[] = {"alpha", "beta", "gamma", "delta"};
    const std::string name = names[seed % 4];
    const std::string number = std::to_string(seed % 4);
    return {"def " + name + "(x): return x + " + number + "\n",
            "kernel_" + name + "<<<256, 255>>>(x, " + number + ");\n"};
}

} // namespace dice::train
