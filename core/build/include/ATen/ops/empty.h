#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <ATen/ops/empty.h>
#else
#include "dice/extension.h"
#endif
