#pragma once
#include "dice/device.h"
#include "dice/atencuda.h"
