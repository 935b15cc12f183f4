#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <ATen/Tensor.h>
#else
#include "dice/extension.h"
#endif
