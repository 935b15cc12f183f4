#pragma once
#ifdef DICE_REAL_HEADERS
#include_next <pybind11/stl.h>
#else
#include "dice/extension.h"
#endif
