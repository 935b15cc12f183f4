// Operations of LibTorch called by name: finds the overload that fits, and calls it through the dispatcher.
#pragma once

#include "candidatemodule_values.h"

namespace dice::worker {

// DiceHostApi::call and DiceHostApi::errorText.
int32_t callOperation(const char *name, const DiceValue *arguments, const char *const *names, int32_t count,
                      DiceValue *result);
const char *operationError();

} // namespace dice::worker
