#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <ATen/Dispatch.h>
#else
#include "dice/extension.h"
#endif
