#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <c10/util/Half.h>
#else
#include "dice/extension.h"
#endif
