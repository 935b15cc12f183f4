#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <torch/extension.h>
#else
#include "dice/extension.h"
#endif
