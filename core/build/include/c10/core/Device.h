#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <c10/core/Device.h>
#else
#include "dice/extension.h"
#endif
