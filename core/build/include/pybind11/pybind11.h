#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <pybind11/pybind11.h>
#else
#include "dice/extension.h"
#endif
