#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <torch/python.h>
#else
#include "dice/extension.h"
#endif
