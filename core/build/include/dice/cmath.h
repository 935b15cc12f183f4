// <cmath> without C++17's special functions: Bessel and zeta cost more to read than all of the shim's tensors.
#pragma once

#ifndef DICE_REAL_HEADERS
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <cmath>
